// Blocks that do the work of several, side by side (thread coarsening):
//
//     i = blockIdx.x * blockDim.x + threadIdx.x;
//     if (i < n) o[i] = f(a[i]);
//
//     first = 4 * blockIdx.x;
//     if (first + 3 < blocks) {
//         i0 = first * blockDim.x + threadIdx.x; ... i3 = (first + 3) * blockDim.x + threadIdx.x;
//         if (i0 < n && ... && i3 < n) { a0 = a[i0]; ... a3 = a[i3]; o[i0] = f(a0); ... o[i3] = f(a3); return; }
//     }
//     for (k = 0; k < 4 && first + k < blocks; k++) the kernel as it was, as block first + k
//
// What comes behind a branch that is no such bound follows for one block after the other. Threads of different blocks see nothing of each other in a
// program without races, so that theirs may be done in any order; each thread's own order stays.
#include "pass/jam/coarsen.h"

#include "pass/bridge/bridge_internal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

bool is_of_grid(const Instruction &i, Intrinsic::ID number) {
  auto *call = dyn_cast<IntrinsicInst>(&i);
  return call && call->getIntrinsicID() == number;
}

// The block that does nothing but to return.
bool is_end(BasicBlock *block) { return isa<ReturnInst>(block->front()); }

bool touches_memory(BasicBlock *block, bool stores) {
  return any_of(*block, [&](Instruction &i) { return stores ? i.mayWriteToMemory() : i.mayReadOrWriteMemory(); });
}

// Where all go on together behind the block: past a bound that the others return at, as long as nothing is stored. Null where they end or may part.
BasicBlock *next_of(BasicBlock *block) {
  auto *branch = dyn_cast<BranchInst>(block->getTerminator());
  if (!branch || touches_memory(block, true))
    return nullptr;
  if (branch->isUnconditional())
    return is_end(branch->getSuccessor(0)) || !branch->getSuccessor(0)->getSinglePredecessor() ? nullptr : branch->getSuccessor(0);
  bool ends = is_end(branch->getSuccessor(0)), other_ends = is_end(branch->getSuccessor(1));
  BasicBlock *next = branch->getSuccessor(ends);
  return ends == other_ends || touches_memory(block, false) || !next->getSinglePredecessor() ? nullptr : next;
}

class Coarsening {
  Function &f;
  unsigned times;
  Argument *blocks;
  BasicBlock *first; // of the kernel as it was
  BasicBlock *begin; // of all
  BasicBlock *one; // where one block after the other begins
  Value *number; // of the first of those that this one does
  SmallVector<DenseMap<Value *, Value *>, 8> twin; // of each of them

  Value *twin_of(unsigned k, Value *value) const {
    auto found = twin[k].find(value);
    return found == twin[k].end() ? value : found->second;
  }

  // With operands that are still those of the instruction; null where it needs no copy.
  Instruction *copy_of(Instruction &i, unsigned k, BasicBlock *to) {
    if (is_of_grid(i, Intrinsic::nvvm_read_ptx_sreg_nctaid_x))
      twin[k][&i] = blocks;
    if (is_of_grid(i, Intrinsic::nvvm_read_ptx_sreg_nctaid_x) || is_of_grid(i, Intrinsic::nvvm_read_ptx_sreg_ctaid_x) ||
        isa<NoAliasScopeDeclInst>(i)) // has said what the whole kernel keeps to
      return nullptr;
    Instruction *copy = i.clone();
    copy->insertInto(to, to->end());
    twin[k][&i] = copy;
    return copy;
  }

  void take_twins(Instruction *copy, unsigned k) {
    for (Use &use : copy->operands())
      use.set(twin_of(k, use.get()));
  }

  void clone(Instruction &i, unsigned k, BasicBlock *to) {
    if (auto *phi = dyn_cast<PHINode>(&i)) // of a block that one other leads to
      twin[k][phi] = twin_of(k, phi->getIncomingValue(0));
    else if (Instruction *copy = copy_of(i, k, to))
      take_twins(copy, k);
  }

  // All blocks' loads, with what those need, before any block's stores; what is between stores for one block after the other, so that no more is held
  // than one of them needs.
  void clone_body(BasicBlock *from, BasicBlock *to) {
    SmallVector<Instruction *, 64> all;
    for (Instruction &i : *from)
      if (!i.isTerminator())
        all.push_back(&i);
    for (auto *at = all.begin(); at != all.end();) {
      auto *store = std::find_if(at, all.end(), [](Instruction *i) { return i->mayWriteToMemory(); });
      auto *end = store;
      while (end != at && !(*std::prev(end))->mayReadFromMemory())
        end--;
      if (end != at) {
        for (Instruction *i : make_range(at, end))
          for (unsigned k = 0; k < times; k++)
            clone(*i, k, to);
      } else {
        end = std::find_if(store, all.end(), [](Instruction *i) { return i->mayReadFromMemory() && !i->mayWriteToMemory(); });
        for (unsigned k = 0; k < times; k++)
          for (Instruction *i : make_range(at, end))
            clone(*i, k, to);
      }
      at = end;
    }
  }

  // Where all of them go on together; else one does after the other.
  void go_on(BasicBlock *from, BasicBlock *to, BasicBlock *on, BasicBlock *next) {
    IRBuilder<> build(to);
    auto *branch = cast<BranchInst>(from->getTerminator());
    if (branch->isUnconditional()) {
      build.CreateBr(next);
      return;
    }
    Value *all = nullptr;
    for (unsigned k = 0; k < times; k++) {
      Value *goes = twin_of(k, branch->getCondition());
      goes = branch->getSuccessor(0) == on ? goes : build.CreateNot(goes);
      all = all ? build.CreateAnd(all, goes) : goes;
    }
    build.CreateCondBr(all, next, one);
  }

  // What follows the block, for one block after the other: each begins where the one before returns.
  void make_rest(BasicBlock *last, BasicBlock *to, ArrayRef<BasicBlock *> as_it_was) {
    SmallPtrSet<BasicBlock *, 16> rest;
    SmallVector<BasicBlock *, 16> todo(successors(last));
    while (!todo.empty()) {
      BasicBlock *at = todo.pop_back_val();
      if (!is_end(at) && rest.insert(at).second)
        append_range(todo, successors(at));
    }
    for (unsigned k = 0; k < times; k++)
      to = make_rest_of(k, last, to, rest, as_it_was);
    ReturnInst::Create(f.getContext(), to);
  }

  BasicBlock *make_rest_of(unsigned k, BasicBlock *last, BasicBlock *to, const SmallPtrSetImpl<BasicBlock *> &rest,
                           ArrayRef<BasicBlock *> as_it_was) {
    SmallVector<Instruction *, 64> copies;
    auto *next = BasicBlock::Create(f.getContext(), "together", &f, first);
    twin[k][last] = to;
    for (BasicBlock *b : as_it_was)
      if (rest.contains(b))
        twin[k][b] = BasicBlock::Create(f.getContext(), "follows", &f, next);
      else if (is_end(b))
        twin[k][b] = next;
    for (BasicBlock *b : make_filter_range(as_it_was, [&](BasicBlock *b) { return rest.contains(b); }))
      for (Instruction &i : *b)
        if (!isa<ReturnInst>(i))
          copies.push_back(copy_of(i, k, cast<BasicBlock>(twin[k][b])));
        else
          BranchInst::Create(next, cast<BasicBlock>(twin[k][b]));
    if (isa<ReturnInst>(last->getTerminator()))
      BranchInst::Create(next, to);
    else
      copies.push_back(copy_of(*last->getTerminator(), k, to));
    for (Instruction *copy : copies)
      if (copy)
        take_all_twins(copy, k);
    return next;
  }

  // And the blocks that a phi's values come from, which are no operands.
  void take_all_twins(Instruction *copy, unsigned k) {
    take_twins(copy, k);
    if (auto *phi = dyn_cast<PHINode>(copy))
      for (unsigned i = 0; i < phi->getNumIncomingValues(); i++)
        phi->setIncomingBlock(i, cast<BasicBlock>(twin_of(k, phi->getIncomingBlock(i))));
  }

  void make_together(ArrayRef<BasicBlock *> as_it_was) {
    BasicBlock *to = BasicBlock::Create(f.getContext(), "together", &f, first);
    IRBuilder<> build(begin);
    Value *last = build.CreateNUWAdd(number, build.getInt32(times - 1));
    build.CreateCondBr(build.CreateICmpULT(last, blocks), to, one);
    for (BasicBlock *from = first, *on; from; from = on) {
      clone_body(from, to);
      on = next_of(from);
      BasicBlock *next = on ? BasicBlock::Create(f.getContext(), "together", &f, first) : nullptr;
      if (on)
        go_on(from, to, on, next);
      else
        make_rest(from, to, as_it_was);
      to = next;
    }
  }

  // The kernel as it was, as each of those blocks that there are.
  void make_one_by_one(ArrayRef<BasicBlock *> as_it_was) {
    LLVMContext &context = f.getContext();
    auto *done = BasicBlock::Create(context, "done", &f), *latch = BasicBlock::Create(context, "latch", &f);
    IRBuilder<> build(one);
    PHINode *k = build.CreatePHI(build.getInt32Ty(), 2);
    Value *block = build.CreateNUWAdd(number, k);
    Value *more = build.CreateAnd(build.CreateICmpULT(k, build.getInt32(times)), build.CreateICmpULT(block, blocks));
    build.CreateCondBr(more, first, done);
    build.SetInsertPoint(latch);
    Value *next = build.CreateNUWAdd(k, build.getInt32(1));
    BranchInst *back = build.CreateBr(one);
    MDNode *keep = MDNode::get(context, MDString::get(context, "llvm.loop.unroll.disable"));
    MDNode *loop = MDNode::getDistinct(context, {nullptr, keep});
    loop->replaceOperandWith(0, loop);
    back->setMetadata(LLVMContext::MD_loop, loop);
    build.SetInsertPoint(done);
    build.CreateRetVoid();
    for (BasicBlock *before : predecessors(one))
      k->addIncoming(before == latch ? next : build.getInt32(0), before);
    for (BasicBlock *b : as_it_was) {
      for (Instruction &i : make_early_inc_range(*b))
        if (is_of_grid(i, Intrinsic::nvvm_read_ptx_sreg_ctaid_x) || is_of_grid(i, Intrinsic::nvvm_read_ptx_sreg_nctaid_x)) {
          i.replaceAllUsesWith(is_of_grid(i, Intrinsic::nvvm_read_ptx_sreg_ctaid_x) ? block : blocks);
          i.eraseFromParent();
        }
      if (isa<ReturnInst>(b->getTerminator())) {
        b->getTerminator()->eraseFromParent();
        BranchInst::Create(latch, b);
      }
    }
  }

public:
  Coarsening(Function &f, unsigned times)
      : f(f), times(times), blocks(f.getArg(static_cast<unsigned>(f.arg_size()) - 1)), first(&f.getEntryBlock()), twin(times) {}

  void make() {
    SmallVector<BasicBlock *, 8> as_it_was;
    for (BasicBlock &b : f)
      as_it_was.push_back(&b);
    begin = BasicBlock::Create(f.getContext(), "begin", &f, first);
    one = BasicBlock::Create(f.getContext(), "one", &f, first);
    IRBuilder<> build(begin);
    Value *here = build.CreateIntrinsic(build.getInt32Ty(), Intrinsic::nvvm_read_ptx_sreg_ctaid_x, ArrayRef<Value *>());
    number = build.CreateNUWMul(here, build.getInt32(times));
    for (unsigned k = 0; k < times; k++) {
      Value *block = build.CreateNUWAdd(number, build.getInt32(k));
      for (BasicBlock *b : as_it_was)
        for (Instruction &i : *b)
          if (is_of_grid(i, Intrinsic::nvvm_read_ptx_sreg_ctaid_x))
            twin[k][&i] = block;
    }
    make_together(as_it_was);
    make_one_by_one(as_it_was);
  }
};

} // namespace

extern "C" {

LLVMValueRef ir_copy_with_number(LLVMValueRef kernel, const char *name) {
  auto &f = *unwrap<Function>(kernel);
  SmallVector<Type *, 16> types(f.getFunctionType()->params());
  types.push_back(Type::getInt32Ty(f.getContext()));
  auto *copy = Function::Create(FunctionType::get(f.getReturnType(), types, false),
                                f.hasLocalLinkage() ? GlobalValue::ExternalLinkage : f.getLinkage(), f.getAddressSpace(), name,
                                f.getParent());
  ValueToValueMapTy twin;
  for (auto [argument, other] : zip(f.args(), copy->args()))
    twin[&argument] = &other;
  SmallVector<ReturnInst *, 4> returns;
  CloneFunctionInto(copy, &f, twin, CloneFunctionChangeType::LocalChangesOnly, returns);
  copy->setCallingConv(f.getCallingConv());
  copy->setVisibility(f.getVisibility());
  copy->setDSOLocal(f.isDSOLocal());
  return wrap(copy);
}

void ir_coarsen(LLVMValueRef kernel, unsigned blocks) { Coarsening(*unwrap<Function>(kernel), blocks).make(); }

} // extern "C"
