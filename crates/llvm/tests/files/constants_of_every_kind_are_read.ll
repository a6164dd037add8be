@ints = global { i1, i8, i32, i64, i128 } { i1 true, i8 -1, i32 2147483648, i64 -9223372036854775808, i128 -170141183460469231731687303715884105728 }
@floats = global { float, float, double, double, half, bfloat, x86_fp80, fp128 } { float 1.000000e+00, float 0x7FF8000000000000, double -0.0, double 0x7FF0000000000000, half 0xH3C00, bfloat 0xR3F80, x86_fp80 0xK3FFF8000000000000000, fp128 0xL00000000000000003FFF000000000000 }
@text = constant [6 x i8] c"a\22\5C\0A\FF\00"
@zeros = global [1000000000 x { i32, ptr }] zeroinitializer
@simple = global { i32, ptr, float } { i32 zeroinitializer, ptr null, float zeroinitializer }
@any = global [2 x i32] [i32 undef, i32 poison]
@lanes = global <4 x i16> splat (i16 9)
@mixed = global <2 x float> <float 1.5, float -2.0>
@tight = global <{ i8, i32 }> <{ i8 1, i32 2 }>
@hex = global [2 x i32] [i32 u0xFF, i32 s0x10]
@none = global [0 x i32] []
@wide = global i256 5

; gives
module "case.ll" i128 8
global @ints external: {i1, i8, i32, i64, i128} align 8 = {i1, i8, i32, i64, i128} {i1 1, i8 -1, i32 -2147483648, i64 -9223372036854775808, i128 -170141183460469231731687303715884105728}
global @floats external: {f32, f32, f64, f64, f16, bf16, f80, f128} align 16 = {f32, f32, f64, f64, f16, bf16, f80, f128} {f32 1.0, f32 bits 0x7fc00000, f64 -0.0, f64 bits 0x7ff0000000000000, f16 bits 0x3c00, bf16 bits 0x3f80, f80 bits 0x3fff8000000000000000, f128 bits 0x3fff0000000000000000000000000000}
global @text external: [6 x i8] align 1 constant = [6 x i8] bytes "a\"\\\n\xff\x00"
global @zeros external: [1000000000 x {i32, ptr}] align 8 = [1000000000 x {i32, ptr}] zero
global @simple external: {i32, ptr, f32} align 8 = {i32, ptr, f32} {i32 0, ptr null, f32 0.0}
global @any external: [2 x i32] align 4 = [2 x i32] {i32 undef, i32 undef}
global @lanes external: <4 x i16> align 8 = <4 x i16> {i16 9, i16 9, i16 9, i16 9}
global @mixed external: <2 x f32> align 8 = <2 x f32> {f32 1.5, f32 -2.0}
global @tight external: <{i8, i32}> align 1 = <{i8, i32}> {i8 1, i32 2}
global @hex external: [2 x i32] align 4 = [2 x i32] {i32 255, i32 16}
global @none external: [0 x i32] align 4 = [0 x i32] {}
global @wide external: i256 align 8 = i256 5
