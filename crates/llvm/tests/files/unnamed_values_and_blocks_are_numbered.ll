declare i32 @g()

define i32 @f(i32, i32 %named, i8) {
  call i32 @g()
  br label %4
  %5 = add i32 %3, %0
  br i1 true, label %6, label %7
  br label %7
  ret i32 %5
}

define void @one_line() { ret void }

define i32 @indented(i1 %c)
    nounwind
{
  start:
    br i1 %c, label %yes, label %no
  yes:
    ret i32 1
  no:
    ret i32
      2
}

; gives
module "case.ll" i128 8
function @g external () -> i32
function @f external (v0: i32, v1 named: i32, v2: i8) -> i32 {
b0:
  v3: i32 = call i32 @g() st0
  jump b1 st0
b1:
  v4: i32 = add v3, v0 st1
  branch i1 1, b2, b3 st1
b2:
  jump b3 st2
b3:
  return v4 st3
}
function @one_line external () -> void {
b0:
  return st4
}
function @indented external (v0 c: i1) -> i32 {
b0 start:
  branch v0, b1, b2 st5
b1 yes:
  return i32 1 st6
b2 no:
  return i32 2 st7
}
statement st0 @f b0
statement st1 @f b1
statement st2 @f b2
statement st3 @f b3
statement st4 @one_line b0
statement st5 @indented b0
statement st6 @indented b1
statement st7 @indented b2
