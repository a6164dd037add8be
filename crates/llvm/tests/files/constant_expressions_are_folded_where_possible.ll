%s = type { i32, [4 x i16], ptr }
@base = global [10 x %s] zeroinitializer
@small = global i32 0

@inner = global ptr getelementptr inbounds ([10 x %s], ptr @base, i64 0, i64 3, i32 1, i64 2)
@before = global ptr getelementptr (i8, ptr getelementptr inbounds (i32, ptr @small, i64 4), i64 -20)
@ranged = global ptr getelementptr inbounds inrange(-8, 8) (i8, ptr @base, i64 8)
@scaled = global ptr getelementptr (i32, ptr @base, i64 ptrtoint (ptr @small to i64))
@same = global ptr bitcast (ptr @small to ptr)
@space = global ptr addrspacecast (ptr addrspace(1) @small to ptr)
@minus = global ptr inttoptr (i64 -1 to ptr)
@number = global i64 ptrtoint (ptr @small to i64)
@low = global i32 trunc (i64 ptrtoint (ptr @small to i64) to i32)
@distance = global i64 sub (i64 ptrtoint (ptr @base to i64), i64 ptrtoint (ptr @small to i64))
@sum = global i32 add nsw (i32 2147483647, i32 1)
@compare = global i1 icmp eq (ptr @small, ptr null)
@chosen = global i32 select (i1 icmp slt (i32 -1, i32 0), i32 5, i32 6)
@widened = global i64 zext (i8 -1 to i64)
@negative = global i64 sext (i8 -1 to i64)
@back = global ptr inttoptr (i64 ptrtoint (ptr @small to i64) to ptr)
@code = global ptr dso_local_equivalent @f
@plain = global ptr no_cfi @f

define void @f() {
  ret void
}

; gives
module "case.ll" i128 8
global @base external: [10 x {i32, [4 x i16], ptr}] align 8 = [10 x {i32, [4 x i16], ptr}] zero
global @small external: i32 align 4 = i32 0
global @inner external: ptr align 8 = ptr offset(ptr @base, 80)
global @before external: ptr align 8 = ptr offset(ptr @small, -4)
global @ranged external: ptr align 8 = ptr offset(ptr @base, 8)
global @scaled external: ptr align 8 = ptr inttoptr(i64 add(i64 ptrtoint(ptr @base), i64 mul(i64 ptrtoint(ptr @small), i64 4)))
global @same external: ptr align 8 = ptr @small
global @space external: ptr align 8 = ptr @small
global @minus external: ptr align 8 = ptr inttoptr(i64 -1)
global @number external: i64 align 8 = i64 ptrtoint(ptr @small)
global @low external: i32 align 4 = i32 trunc(i64 ptrtoint(ptr @small))
global @distance external: i64 align 8 = i64 sub(i64 ptrtoint(ptr @base), i64 ptrtoint(ptr @small))
global @sum external: i32 align 4 = i32 -2147483648
global @compare external: i1 align 1 = i1 eq(ptr @small, ptr null)
global @chosen external: i32 align 4 = i32 5
global @widened external: i64 align 8 = i64 255
global @negative external: i64 align 8 = i64 -1
global @back external: ptr align 8 = ptr @small
global @code external: ptr align 8 = ptr @f
global @plain external: ptr align 8 = ptr @f
function @f external () -> void {
b0:
  return st0
}
statement st0 @f b0
