// Tile loops that bring a tile of indices, and then the data that those name: each thread reads the list for itself.
//
//     for (...) {                                         for (...) {
//       if (t < 32) s[t] = list[32 * k + t];                if (t < 32) s[t] = list[32 * k + t];
//       barrier;                                            barrier;
//       tile[t] = g[s[t / 8] * 8 + t % 8];        ->        tile[t] = g[list[32 * k + t / 8] * 8 + t % 8];
//       barrier; use tile; barrier;                         barrier; use tile; barrier;
//     }                                                   }
//
// So where the data lies is known ahead, and the copies need not wait for what an iteration stores. Why what is read stays the same: the
// slot was filled in this iteration, and by nobody else than a thread whose number tells it (filling_thread.cpp), as all threads of the
// block come to each iteration; and nothing in the loop writes the list. What fills the array goes where nobody reads it any more.
#include "pass/base/marks.h"
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace {

constexpr size_t LEAST_OF_INDICES = 3; // behind the indices, behind the data, and behind the use

// ---- what names data ----

bool leads_to_global(const Loop &loop, const User &user, const Value &address) {
  auto *load = dyn_cast<LoadInst>(&user);
  auto *copy = dyn_cast<MemCpyInst>(&user);
  bool reads = (load && load->getPointerOperand() == &address) || (copy && copy->getRawSource() == &address);
  return reads && address.getType()->getPointerAddressSpace() != SHARED_SPACE &&
         !isa<GlobalVariable>(getUnderlyingObject(&address)) && loop.contains(cast<Instruction>(&user));
}

// Is an address in global memory made of it, that the loop loads from?
bool names_data(const Loop &loop, LoadInst &index) {
  constexpr size_t MOST = 256; // values, a bound of the search
  SmallVector<Value *, 16> pending = {&index};
  SmallPtrSet<Value *, 16> seen;
  while (!pending.empty() && seen.size() < MOST) {
    Value *value = pending.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (User *user : value->users()) {
      if (leads_to_global(loop, *user, *value))
        return true;
      if (isa<BinaryOperator, CastInst, GetElementPtrInst, SelectInst, PHINode, FreezeInst, MinMaxIntrinsic>(user))
        pending.push_back(user);
    }
  }
  return false;
}

// ---- of a loop ----

struct Naming {
  IrModule *ir;
  Function &f;
  const IrNaming &asks;
  Loop &loop; // until there are two versions of it
  BasicBlock *latch;
  SmallVector<Named, 16> reads = {};
  SmallVector<StoreInst *, 4> unread = {}; // of arrays that nobody reads any more
};

// The only store of the loop, of all threads' slots at once.
std::optional<Filling> only_filling(const Naming &naming, const GlobalVariable &array, const Touches &inside,
                                    const LoopInfo &loops) {
  Instruction *at = nullptr;
  for (const Touch &touch : inside)
    if (touch.stores) {
      if (at || !isa<StoreInst>(touch.at) || loops.getLoopFor(touch.at->getParent()) != &naming.loop)
        return {};
      at = touch.at;
    }
  if (!at)
    return {};
  auto *store = cast<StoreInst>(at);
  auto bytes = store->getDataLayout().getTypeStoreSize(store->getValueOperand()->getType());
  return (int64_t)bytes.getFixedValue() <= naming.asks.most_bytes ? filling_of(*store, array) : std::nullopt;
}

// Does a barrier stand between the filling and the reading, and another behind that, in each iteration? The list is read as late as the
// tile was: by then others may write it who wait for the first barrier alone.
bool is_parted(ArrayRef<Instruction *> barriers, const DominatorTree &tree, const Instruction &fills, const Instruction &reads) {
  size_t filled = barriers_before(barriers, tree, &fills), read = barriers_before(barriers, tree, &reads);
  return filled < read && read < barriers.size();
}

void find_named(Naming &naming, GlobalVariable &array) {
  auto &loops = naming.ir->functions->getResult<LoopAnalysis>(naming.f);
  auto &tree = naming.ir->functions->getResult<DominatorTreeAnalysis>(naming.f);
  auto barriers = barriers_of(loops, tree, naming.loop);
  Touches inside, outside;
  auto filling = find_touches(array, naming.f, naming.loop, inside, outside) ? only_filling(naming, array, inside, loops)
                                                                             : std::nullopt;
  if (!filling)
    return;
  auto alike = [&](Value *value) { return naming.asks.alike(naming.asks.context, wrap(value)); };
  bool all = none_of(outside, [](const Touch &touch) { return !touch.stores; });
  SmallVector<Named, 16> found;
  for (const Touch &touch : inside) {
    auto *load = dyn_cast<LoadInst>(touch.at);
    bool may = load && names_data(naming.loop, *load) && is_parted(barriers, tree, *filling->store, *load);
    auto named = may ? named_of(*filling, *load, array, naming.ir, naming.loop, alike) : std::nullopt;
    if (named)
      found.push_back(*named);
    all &= touch.stores || named;
  }
  naming.reads.append(found);
  if (all)
    naming.unread.push_back(filling->store);
}

// ---- asked, and made ----

bool may_name(const Naming &naming) {
  SmallVector<LLVMValueRef, 16> lists;
  IrNamed named = {wrap(naming.loop.getHeader()), nullptr, 0, 0, 0, 0};
  for (const Named &read : naming.reads) {
    const Filling &filling = read.filling;
    if (!is_contained(lists, wrap(read.list)))
      lists.push_back(wrap(read.list));
    int64_t row = filling.width ? std::min(filling.width, read.threads) : filling.in_plane ? 0 : read.threads;
    int64_t rows = filling.width ? (read.threads + filling.width - 1) / filling.width : 0;
    named.along_x = std::max(named.along_x, row);
    named.along_y = std::max(named.along_y, rows);
    named.in_plane = std::max(named.in_plane, filling.in_plane ? read.threads : 0);
  }
  named.lists = lists.data();
  named.count = lists.size();
  return naming.asks.may(naming.asks.context, &named);
}

void name(const Naming &naming) {
  Instruction *jump = naming.latch->getTerminator();
  for (const Named &read : naming.reads)
    read.load->replaceAllUsesWith(named_value(read));
  jump->setMetadata(NAMED_METADATA, MDNode::get(jump->getContext(), {}));
  for (const Named &read : naming.reads)
    RecursivelyDeleteTriviallyDeadInstructions(read.load);
  for (StoreInst *store : naming.unread)
    store->eraseFromParent();
}

// The header of the first loop that has not been looked at, with barriers in each of its iterations; null: none is left.
BasicBlock *next_of(IrModule *ir, Function &f, SmallPtrSetImpl<BasicBlock *> &seen) {
  auto &loops = ir->functions->getResult<LoopAnalysis>(f);
  auto &tree = ir->functions->getResult<DominatorTreeAnalysis>(f);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    bool whole = loop->getLoopLatch() && loop->getExitingBlock() == loop->getLoopLatch() && loop->getLoopPreheader();
    if (whole && !is_aside(*loop) && barriers_of(loops, tree, *loop).size() >= LEAST_OF_INDICES &&
        seen.insert(loop->getHeader()).second)
      return loop->getHeader();
  }
  return nullptr;
}

} // namespace

extern "C" {

bool ir_may_name(LLVMValueRef function) {
  Function &f = *unwrap<Function>(function);
  DominatorTree tree(f);
  LoopInfo loops(tree);
  return any_of(loops.getLoopsInPreorder(), [&](const Loop *loop) {
    return loop->getLoopLatch() && !is_aside(*loop) && barriers_of(loops, tree, *loop).size() >= LEAST_OF_INDICES;
  });
}

void ir_name_directly(IrModule *ir, LLVMValueRef function, const IrNaming *naming) {
  Function &f = *unwrap<Function>(function);
  SmallPtrSet<BasicBlock *, 8> seen;
  bring_in_form(ir, f);
  while (BasicBlock *header = next_of(ir, f, seen)) {
    Loop &loop = *ir->functions->getResult<LoopAnalysis>(f).getLoopFor(header);
    Naming here = {ir, f, *naming, loop, loop.getLoopLatch()};
    for (GlobalVariable *array : own_arrays(*f.getParent()))
      find_named(here, *array);
    if (here.reads.empty() || !may_name(here))
      continue;
    name(here);
    ir_changed(ir, function);
    bring_in_form(ir, f);
  }
}

} // extern "C"
