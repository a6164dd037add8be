%empty = type {}
%pair = type { i32, %inner }
%inner = type <{ i8, i64 }>
%unknown = type opaque
%"odd name" = type { [2 x %pair] }
%0 = type { i1, i128 }

@a = external global %pair
@b = external global [3 x [2 x i7]]
@c = external global <4 x float>
@d = external global { half, bfloat, double, x86_fp80, fp128 }
@e = external global %"odd name"
@f = external global %0
@g = external global %empty
@h = external global %unknown
@i = external addrspace(1) global ptr addrspace(3)
@j = external global <2 x ptr>

; gives
module "case.ll" i128 8
global @a external: {i32, <{i8, i64}>} align 4
global @b external: [3 x [2 x i7]] align 1
global @c external: <4 x f32> align 16
global @d external: {f16, bf16, f64, f80, f128} align 16
global @e external: {[2 x {i32, <{i8, i64}>}]} align 4
global @f external: {i1, i128} align 8
global @g external: {} align 1
global @h external: opaque align 1
global @i external: ptr align 8
global @j external: <2 x ptr> align 16
