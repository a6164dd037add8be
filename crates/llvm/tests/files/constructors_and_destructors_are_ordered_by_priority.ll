@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @late, ptr null }, { i32, ptr, ptr } { i32 101, ptr @early, ptr null }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @done, ptr @x }]
@x = global i8 0

define internal void @late() {
  ret void
}

define internal void @early() {
  ret void
}

define internal void @done() {
  ret void
}

; gives
module "case.ll" i128 8
global @x external: i8 align 1 = i8 0
constructor 101 @early
constructor 65535 @late
destructor 65535 @done
function @late internal () -> void {
b0:
  return st0
}
function @early internal () -> void {
b0:
  return st1
}
function @done internal () -> void {
b0:
  return st2
}
statement st0 @late b0
statement st1 @early b0
statement st2 @done b0
