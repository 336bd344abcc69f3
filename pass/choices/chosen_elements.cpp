// Small arrays of a thread of which data choose an element: it is chosen among registers.
//
//     float v[8]; ... s += v[k & 7]     ->     a = k & 1 ? v1 : v0; b = k & 1 ? v3 : v2; ...; s += k & 4 ? (k & 2 ? d : c) : (k & 2 ? b : a)
//
// Left in local memory, lanes that choose differently read a line each; where ptxas makes registers of the array it asks for each element whether it is
// the one, a comparison and a move for each instead of a choice between two.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace
{
// A load of the element number index + first. The number may be such a load itself, in whose place a choice comes first.
struct Chosen {
    LoadInst *load;
    WeakTrackingVH index;
    uint64_t first;
};

struct Elements {
    AllocaInst *array;
    uint64_t bytes; // of the array
    SmallVector<Chosen, 8> chosen;
};

// Where the access is, from the beginning of the array: a number, or a number of elements of its own size that one value tells, on top. False:
// something else.
bool find_place(const AllocaInst &array, Value *pointer, uint64_t size, Value *&index, int64_t &first)
{
    const DataLayout &layout = array.getDataLayout();
    APInt constant(64, 0);
    index = nullptr;
    while (pointer != &array) {
        auto *place = dyn_cast<GetElementPtrInst>(pointer);
        SmallMapVector<Value *, APInt, 4> variable;
        if (!place || !place->collectOffset(layout, 64, variable, constant) || variable.size() > 1 || (index && !variable.empty()))
            return false;
        if (!variable.empty()) {
            if (variable.front().second != size)
                return false;
            index = variable.front().first;
        }
        pointer = place->getPointerOperand();
    }
    first = constant.getSExtValue();
    return !index || first % static_cast<int64_t>(size) == 0;
}

// False where the array is used otherwise than by plain loads and by stores to places that are known.
bool find_chosen(Elements &elements)
{
    const DataLayout &layout = elements.array->getDataLayout();
    SmallVector<Instruction *, 16> open = {elements.array};
    while (!open.empty()) {
        Instruction *pointer = open.pop_back_val();
        for (Use &use : pointer->uses()) {
            auto *user = cast<Instruction>(use.getUser());
            auto *load = dyn_cast<LoadInst>(user);
            auto *store = dyn_cast<StoreInst>(user);
            Value *index;
            int64_t first;
            if (isa<GetElementPtrInst>(user) && use.getOperandNo() == 0) {
                open.push_back(user);
                continue;
            }
            if (isa<IntrinsicInst>(user) && cast<IntrinsicInst>(user)->isLifetimeStartOrEnd())
                continue;
            if (!(load && load->isSimple()) && !(store && store->isSimple() && use.getOperandNo() == 1))
                return false;
            uint64_t size = layout.getTypeStoreSize(getLoadStoreType(user)).getFixedValue();
            if (!find_place(*elements.array, pointer, size, index, first) || (index && (store || first < 0)))
                return false;
            if (index)
                elements.chosen.push_back({load, index, static_cast<uint64_t>(first) / size});
        }
    }
    return true;
}

bool is_small(const Elements &elements, const IrChosen &limits)
{
    const DataLayout &layout = elements.array->getDataLayout();
    uint64_t choices = 0;
    for (const Chosen &chosen : elements.chosen) {
        Type *type = chosen.load->getType();
        uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
        if (!type->isSingleValueType() || type->isVectorTy() || type->isPointerTy() || size < 4 || elements.bytes % size != 0)
            return false;
        choices += elements.bytes / 4;
    }
    return elements.bytes <= limits.bytes && choices <= limits.choices;
}

// Between those whose numbers differ in one bit, from the lowest on. Beyond the array nobody may ask.
Value *choose(IRBuilder<> &builder, SmallVector<Value *, 8> among, Value *number)
{
    for (uint64_t bit = 1; among.size() > 1; bit *= 2) {
        // Of a bit that is set the backend would make a number of one bit first.
        Value *even = builder.CreateICmpEQ(builder.CreateAnd(number, bit), builder.getInt32(0));
        SmallVector<Value *, 8> left;
        for (size_t i = 0; i + 1 < among.size(); i += 2)
            left.push_back(builder.CreateSelect(even, among[i], among[i + 1]));
        if (among.size() % 2)
            left.push_back(among.back());
        among = left;
    }
    return among.front();
}

void replace(const Elements &elements, const Chosen &chosen)
{
    IRBuilder<> builder(chosen.load);
    Type *type = chosen.load->getType();
    uint64_t size = elements.array->getDataLayout().getTypeStoreSize(type).getFixedValue();
    SmallVector<Value *, 8> among;
    for (uint64_t at = 0; at < elements.bytes; at += size) {
        Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), elements.array, at);
        among.push_back(builder.CreateAlignedLoad(type, place, commonAlignment(elements.array->getAlign(), at)));
    }
    Value *number = builder.CreateSExtOrTrunc(chosen.index, builder.getInt32Ty());
    if (chosen.first)
        number = builder.CreateAdd(number, builder.getInt32(static_cast<uint32_t>(chosen.first)));
    chosen.load->replaceAllUsesWith(choose(builder, among, number));
    chosen.load->eraseFromParent();
}

SmallVector<Elements, 4> find_arrays(Function &f, const IrChosen &limits)
{
    SmallVector<Elements, 4> all;
    for (Instruction &i : f.getEntryBlock()) {
        auto *array = dyn_cast<AllocaInst>(&i);
        auto bytes = array && array->isStaticAlloca() ? array->getAllocationSize(f.getDataLayout()) : std::nullopt;
        if (!bytes || bytes->isScalable())
            continue;
        Elements elements = {array, bytes->getFixedValue(), {}};
        if (find_chosen(elements) && !elements.chosen.empty() && is_small(elements, limits))
            all.push_back(elements);
    }
    return all;
}

size_t arrays_left(const Function &f)
{
    return count_if(f.getEntryBlock(), [](const Instruction &i) { return isa<AllocaInst>(i); });
}
} // namespace

extern "C" {

size_t ir_elements_chosen(LLVMValueRef function, const IrChosen *limits, LLVMValueRef *numbers, size_t most)
{
    size_t count = 0;
    for (const Elements &elements : find_arrays(*unwrap<Function>(function), *limits))
        for (const Chosen &chosen : elements.chosen)
            if (count < most)
                numbers[count++] = wrap(chosen.index);
    return count;
}

bool ir_elements_choose(IrModule *ir, LLVMValueRef function, const IrChosen *limits)
{
    Function &f = *unwrap<Function>(function);
    SmallVector<Elements, 4> arrays = find_arrays(f, *limits);
    size_t least = arrays_left(f) - arrays.size();
    for (const Elements &elements : arrays)
        for (const Chosen &chosen : elements.chosen)
            replace(elements, chosen);
    FunctionPassManager passes;
    passes.addPass(SROAPass(SROAOptions::PreserveCFG));
    ir_changed(ir, function);
    ir->functions->invalidate(f, passes.run(f, *ir->functions));
    ir_changed(ir, function);
    return arrays_left(f) <= least;
}

} // extern "C"
