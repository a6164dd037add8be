define i8 @f({ i32, [2 x { i8, i8 }] } %a) {
  %b = extractvalue { i32, [2 x { i8, i8 }] } %a, 1, 0, 1
  %c = insertvalue { i32, [2 x { i8, i8 }] } %a, i8 %b, 1, 1, 0, !dbg !0
  %d = insertvalue { i32, [2 x { i8, i8 }] } undef, i32 5, 0
  %e = extractvalue { i32, [2 x { i8, i8 }] } %c, 1, 1
  %f = extractvalue { i8, i8 } %e, 0
  ret i8 %f
}

!0 = !{}

; gives
module "case.ll" i128 8
function @f external (v0 a: {i32, [2 x {i8, i8}]}) -> i8 {
b0:
  v1 b: i8 = extractvalue v0, 1, 0, 1 st0
  v2 c: {i32, [2 x {i8, i8}]} = insertvalue v0, v1, 1, 1, 0 st0
  v3 d: {i32, [2 x {i8, i8}]} = insertvalue {i32, [2 x {i8, i8}]} undef, i32 5, 0 st0
  v4 e: {i8, i8} = extractvalue v2, 1, 1 st0
  v5 f: i8 = extractvalue v4, 0 st0
  return v5 st0
}
statement st0 @f b0
