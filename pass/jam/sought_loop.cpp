// Loops that are left by what they load of rows: a piece of each row comes by wide loads, in front of as many iterations as use it, each of which may still leave.
//
//     for (k = 0; k < m; k++) {        if (rows begin at multiples of 16 bytes)
//       s += a[k];                       for (; m - k >= 4; k += 4) {
//       if (s > limit) break;              v = the 16 bytes at a + k
//     }                           ->       s += v[0]; if (s > limit) break;      k is what it would be
//                                          ... s += v[3]; if (s > limit) break;
//                                        }
//                                      for (; k < m; k++) as it is
//
// Of one row, iterations as they were come in front of the pieces, until it begins with one.
//
// The first word of a piece is loaded in any case, and no part of an aligned piece of 32 bytes and less can be missing. Where the number of iterations left is not known,
// each of them asks for its own end, and the loop as it was runs for other rows alone.
#include "pass/base/marks.h"
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"
#include "pass/jam/loop_copy.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {
enum { WIDE = 16, WORD = 4, DEAR = 8 }; // bytes of a load, and of a word at least; what may be computed in front of the loop

int64_t size_of(const LoadInst &load) { return int64_t(load.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue()); }

// Words of a row, in front of the iterations that use them.
class Piece {
  Type *word; // as a load has it, or an integer that holds several
  SmallVector<Value *, 8> parts;
  int64_t word_bytes, part_bytes;

  static Type *word_of(ArrayRef<LoadInst *> loads) {
    Type *type = loads[0]->getType();
    int64_t bytes = WORD;
    bool alike = !type->isVectorTy() && !type->isPointerTy();
    for (LoadInst *load : loads) {
      bytes = std::max(bytes, size_of(*load));
      alike &= load->getType() == type;
    }
    return alike && bytes == size_of(*loads[0]) ? type : IntegerType::get(type->getContext(), unsigned(bytes * 8));
  }

public:
  // `place` stands where the first of them is loaded.
  Piece(ArrayRef<LoadInst *> loads, Instruction *place, Value *address, int64_t bytes) : word(word_of(loads)) {
    IRBuilder<> builder(place);
    word_bytes = int64_t(place->getDataLayout().getTypeStoreSize(word).getFixedValue());
    part_bytes = std::min<int64_t>(bytes, WIDE);
    bool is_constant = all_of(loads, [](LoadInst *load) { return load->hasMetadata(LLVMContext::MD_invariant_load); });
    unsigned words = unsigned(part_bytes / word_bytes);
    Type *type = words > 1 ? FixedVectorType::get(word, words) : word;
    for (int64_t at = 0; at < bytes; at += part_bytes) {
      Value *from = at ? builder.CreatePtrAdd(address, builder.getInt64(uint64_t(at))) : address;
      LoadInst *part = builder.CreateAlignedLoad(type, from, Align(uint64_t(part_bytes)));
      part->setMetadata(ASIDE_METADATA, MDNode::get(part->getContext(), {}));
      if (is_constant)
        part->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(part->getContext(), {}));
      parts.push_back(part);
    }
  }

  // Does one of its words hold those bytes?
  bool holds(int64_t at, int64_t bytes) const {
    return at >= 0 && at + bytes <= part_bytes * int64_t(parts.size()) && at % word_bytes + bytes <= word_bytes;
  }

  Value *take(IRBuilder<> &builder, int64_t at, Type *type) const {
    Value *part = parts[size_t(at / part_bytes)];
    if (part->getType() != word)
      part = builder.CreateExtractElement(part, uint64_t(at % part_bytes / word_bytes));
    if (type == word)
      return part;
    unsigned bits = unsigned(builder.GetInsertBlock()->getDataLayout().getTypeStoreSizeInBits(type).getFixedValue());
    if (at % word_bytes)
      part = builder.CreateLShr(part, uint64_t(at % word_bytes * 8));
    part = builder.CreateTrunc(part, builder.getIntNTy(bits));
    return type->isPointerTy() ? builder.CreateIntToPtr(part, type) : builder.CreateBitCast(part, type);
  }
};

class Sought {
  Loop &loop;
  ScalarEvolution &evolution;
  BasicBlock *header, *latch, *before;
  unsigned iterations;
  Value *last = nullptr; // the number of the last iteration that there may be; null: nobody knows in front of the loop
  BasicBlock *counted = nullptr; // which leaves behind that one, and before behind none
  BasicBlock *head = nullptr; // of a piece
  BasicBlock *asks = nullptr; // behind each iteration in front of the first piece, whether that begins there; null: there are none
  std::unique_ptr<LoopCopy> nearer; // those
  SmallVector<std::unique_ptr<LoopCopy>, 16> copies;
  SmallVector<MDNode *, 4> scopes; // of what is promised of one iteration alone

  BasicBlock *stays(BasicBlock *exiting) const {
    auto *jump = cast<BranchInst>(exiting->getTerminator());
    return loop.contains(jump->getSuccessor(0)) ? jump->getSuccessor(0) : jump->getSuccessor(1);
  }

  // By as many ways as the block has there.
  void leave(LoopCopy &copy, BasicBlock *exiting) {
    auto *twin = cast<BasicBlock>(copy.of(exiting));
    for (BasicBlock *next : successors(exiting)) {
      if (loop.contains(next))
        continue;
      for (PHINode &phi : next->phis())
        phi.addIncoming(copy.of(phi.getIncomingValueForBlock(exiting)), twin);
    }
  }

  // The number may be none where the first iteration leaves before it is asked for.
  bool compute(const SCEV *count, const TargetTransformInfo &target) {
    Instruction *place = before->getTerminator();
    SCEVExpander expander(evolution, "coalda");
    if (isa<SCEVCouldNotCompute>(count) || evolution.getTypeSizeInBits(count->getType()) > 64 ||
        !expander.isSafeToExpandAt(count, place) || expander.isHighCostExpansion({count}, &loop, DEAR, &target, place))
      return false;
    last = IRBuilder<>(place).CreateFreeze(expander.expandCodeFor(count, count->getType(), place->getIterator()));
    return true;
  }

  void find_count(const TargetTransformInfo &target) {
    SmallVector<BasicBlock *, 4> exiting;
    if (loop.isLoopExiting(latch))
      exiting.push_back(latch);
    loop.getExitingBlocks(exiting);
    for (BasicBlock *block : exiting)
      if (isa<BranchInst>(block->getTerminator()) && compute(evolution.getExitCount(&loop, block), target)) {
        counted = block;
        return;
      }
    compute(evolution.getSymbolicMaxBackedgeTakenCount(&loop), target);
  }

  // What the header's phi is in the piece's iteration of that number.
  Value *begins(PHINode &phi, PHINode *first, unsigned iteration) {
    if (!iteration)
      return first;
    auto *runs = phi.getType()->isIntOrPtrTy() ? dyn_cast_or_null<SCEVAddRecExpr>(shallow_form(evolution, &phi)) : nullptr;
    auto *step = runs && runs->getLoop() == &loop && runs->isAffine() ? dyn_cast<SCEVConstant>(runs->getStepRecurrence(evolution))
                                                                      : nullptr;
    if (!step)
      return copies[iteration - 1]->of(phi.getIncomingValueForBlock(latch));
    BasicBlock *own = copies[iteration]->header;
    IRBuilder<> builder(own, own->getFirstNonPHIIt());
    Value *way = builder.getInt(step->getAPInt() * APInt(step->getAPInt().getBitWidth(), iteration));
    return phi.getType()->isPointerTy() ? builder.CreatePtrAdd(first, way) : builder.CreateAdd(first, way);
  }

  void open_head() {
    head = BasicBlock::Create(header->getContext(), "", header->getParent(), header);
    IRBuilder<> builder(head);
    for (PHINode &phi : header->phis())
      builder.CreatePHI(phi.getType(), 2)->addIncoming(phi.getIncomingValueForBlock(before), before);
  }

  void copy_iteration(unsigned iteration) {
    copies.push_back(std::make_unique<LoopCopy>(loop));
    LoopCopy &copy = *copies.back();
    for (auto [phi, first] : zip(header->phis(), head->phis())) {
      auto *own = cast<PHINode>(copy.of(&phi));
      own->replaceAllUsesWith(begins(phi, &first, iteration));
      own->eraseFromParent();
    }
    cloneAndAdaptNoAliasScopes(scopes, copy.blocks, header->getContext(), "sought");
    copy.latch->getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
    set_aside(copy.blocks);
  }

  // Each iteration leaves as it did, but for the end that is known to be further, and goes on to the next.
  void connect(unsigned iteration) {
    LoopCopy &copy = *copies[iteration];
    SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (BasicBlock *block : exiting) {
      if (block != counted || iteration + 1 == iterations) {
        leave(copy, block);
        continue;
      }
      auto *twin = cast<BasicBlock>(copy.of(block)), *next = cast<BasicBlock>(copy.of(stays(block)));
      twin->getTerminator()->eraseFromParent();
      BranchInst::Create(next, twin);
    }
    BasicBlock *next = iteration + 1 < iterations ? copies[iteration + 1]->header : head;
    copy.latch->getTerminator()->replaceSuccessorWith(copy.header, next);
  }

  // Iterations as they were, until the row begins with a piece: of each lane as many as it has.
  void approach(const IrApproach &to) {
    nearer = std::make_unique<LoopCopy>(loop);
    asks = BasicBlock::Create(header->getContext(), "", header->getParent(), head);
    for (auto [phi, first] : zip(header->phis(), head->phis())) {
      cast<PHINode>(nearer->of(&phi))->replaceIncomingBlockWith(nearer->latch, asks);
      first.addIncoming(nearer->of(phi.getIncomingValueForBlock(latch)), asks);
    }
    SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (BasicBlock *block : exiting)
      leave(*nearer, block);
    cloneAndAdaptNoAliasScopes(scopes, nearer->blocks, header->getContext(), "sought");
    set_aside(nearer->blocks);
    nearer->latch->getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
    nearer->latch->getTerminator()->replaceSuccessorWith(nearer->header, asks);
    IRBuilder<> builder(nearer->header, nearer->header->begin());
    PHINode *at = builder.CreatePHI(builder.getInt64Ty(), 2);
    builder.SetInsertPoint(asks);
    Value *next = builder.CreateAdd(at, builder.getInt64(uint64_t(to.step)));
    at->addIncoming(unwrap(to.place), before);
    at->addIncoming(next, asks);
    builder.CreateCondBr(begins_piece(builder, next, to), head, nearer->header);
  }

  static Value *begins_piece(IRBuilder<> &builder, Value *place, const IrApproach &to) {
    return builder.CreateIsNull(builder.CreateAnd(place, builder.getInt64(uint64_t(to.bytes - 1))));
  }

  // Where those that begin with a piece go on at once.
  void part_ways(const IrApproach &to) {
    BasicBlock *parts = BasicBlock::Create(header->getContext(), "", header->getParent(), nearer->header);
    for (BasicBlock *begin : {head, nearer->header})
      for (PHINode &phi : begin->phis())
        phi.replaceIncomingBlockWith(before, parts);
    before->getTerminator()->replaceSuccessorWith(head, parts);
    IRBuilder<> builder(parts);
    builder.CreateCondBr(begins_piece(builder, unwrap(to.place), to), head, nearer->header);
  }

  // How many iterations there may be behind the next one, at the head of a piece.
  void count_left(PHINode *left, BasicBlock *end) {
    Type *type = left->getType();
    left->addIncoming(last, before);
    IRBuilder<> builder(end->getTerminator());
    left->addIncoming(builder.CreateSub(left, ConstantInt::get(type, iterations)), end);
    if (!asks)
      return;
    auto *nearer_left = PHINode::Create(type, 2, "", nearer->header->begin());
    builder.SetInsertPoint(asks->getTerminator());
    Value *next = builder.CreateSub(nearer_left, ConstantInt::get(type, 1));
    nearer_left->addIncoming(last, before);
    nearer_left->addIncoming(next, asks);
    left->addIncoming(next, asks);
  }

  // The loop as it was goes on where the pieces end.
  void close_head(Value *holds) {
    LoopCopy &end = *copies.back();
    for (auto [phi, first] : zip(header->phis(), head->phis())) {
      first.addIncoming(end.of(phi.getIncomingValueForBlock(latch)), end.latch);
      if (last)
        phi.addIncoming(&first, head);
    }
    IRBuilder<> builder(head);
    if (last) {
      auto *left = PHINode::Create(last->getType(), 2, "", head->begin());
      builder.CreateCondBr(builder.CreateICmpUGE(left, ConstantInt::get(last->getType(), iterations - 1)), copies[0]->header,
                           header);
      count_left(left, end.latch);
    } else {
      builder.CreateBr(copies[0]->header);
    }
    before->getTerminator()->eraseFromParent();
    BranchInst::Create(head, header, holds, before);
  }

public:
  Sought(Loop &loop, ScalarEvolution &evolution, unsigned iterations, const TargetTransformInfo &target)
      : loop(loop), evolution(evolution), header(loop.getHeader()), latch(loop.getLoopLatch()), before(loop.getLoopPreheader()),
        iterations(iterations) {
    identifyNoAliasScopesToClone(loop.getBlocks(), scopes);
    if (iterations > 1)
      find_count(target);
  }

  Value *may_reach(unsigned times) const {
    return last ? IRBuilder<>(before->getTerminator()).CreateICmpUGE(last, ConstantInt::get(last->getType(), times - 1)) : nullptr;
  }

  void repeat(Value *holds, const IrApproach *to) {
    open_head();
    if (to)
      approach(*to);
    for (unsigned i = 0; i < iterations; i++)
      copy_iteration(i);
    for (unsigned i = 0; i < iterations; i++)
      connect(i);
    close_head(holds);
    if (to)
      part_ways(*to);
  }

  // Addresses of what is loaded already, and ends that are not asked for.
  void clean() {
    SmallVector<WeakTrackingVH, 32> dead;
    for (const auto &copy : copies)
      for (BasicBlock *block : copy->blocks)
        for (Instruction &i : *block)
          if (isInstructionTriviallyDead(&i))
            dead.push_back(&i);
    RecursivelyDeleteTriviallyDeadInstructions(dead);
  }

  void load(const IrSoughtRow &row) {
    SmallVector<LoadInst *, 8> loads;
    for (size_t i = 0; i < row.count; i++)
      loads.push_back(unwrap<LoadInst>(row.load[i]));
    int64_t step = row.step, low = row.base + std::min<int64_t>(0, step * (int64_t(iterations) - 1));
    auto *place = cast<LoadInst>(copies[0]->of(loads[0]));
    IRBuilder<> builder(place);
    Value *address = place->getPointerOperand();
    if (low)
      address = builder.CreatePtrAdd(address, builder.getInt64(uint64_t(low)));
    const Piece piece(loads, place, address, std::abs(step) * iterations);
    for (size_t i = 0; i < row.count; i++)
      for (unsigned k = 0; k < iterations; k++) {
        auto *twin = cast<LoadInst>(copies[k]->of(loads[i]));
        int64_t at = row.from[i] + k * step - low;
        if (!piece.holds(at, size_of(*twin)))
          continue;
        builder.SetInsertPoint(twin);
        twin->replaceAllUsesWith(piece.take(builder, at, twin->getType()));
        twin->eraseFromParent();
      }
  }
};
} // namespace

extern "C" {

bool ir_loop_may_be_sought(IrLoop *sought) {
  Loop &loop = *loop_in(sought);
  auto jumps = [](BasicBlock *block) { return isa<BranchInst>(block->getTerminator()) || isa<SwitchInst>(block->getTerminator()); };
  return loop.getLoopLatch() && isa<BranchInst>(loop.getLoopLatch()->getTerminator()) && all_of(loop.blocks(), jumps) &&
         none_of(loop.blocks(), [](BasicBlock *block) {
           return block->hasAddressTaken() || any_of(*block, [](const Instruction &i) {
                    auto *call = dyn_cast<CallBase>(&i);
                    return i.getType()->isTokenTy() ||
                           (call && ((call->isConvergent() && !is_pure_assembly(*call)) || call->cannotDuplicate()));
                  });
         });
}

LLVMValueRef ir_loop_may_reach(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, int iterations) {
  Function &f = *unwrap<Function>(function);
  Loop &loop = *ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header));
  const Sought sought(loop, ir->functions->getResult<ScalarEvolutionAnalysis>(f), unsigned(iterations),
                      ir->functions->getResult<TargetIRAnalysis>(f));
  return wrap(sought.may_reach(unsigned(iterations)));
}

void ir_loop_seek(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, const IrSoughtRow *rows, size_t count,
                  int iterations, LLVMValueRef holds, const IrApproach *approach) {
  Function &f = *unwrap<Function>(function);
  Loop &loop = *ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header));
  set_aside(loop.getBlocks());
  Sought sought(loop, ir->functions->getResult<ScalarEvolutionAnalysis>(f), unsigned(iterations),
                ir->functions->getResult<TargetIRAnalysis>(f));
  sought.repeat(unwrap(holds), approach);
  for (size_t i = 0; i < count; i++)
    sought.load(rows[i]);
  sought.clean();
  ir_changed(ir, function);
}

} // extern "C"
