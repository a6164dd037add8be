%list = type { i32, %list*, [2 x %list]*, void (%list, %other)*, %other* }
%other = type { %list, %list** }

@head = global %list { i32 7, %list* @head, [2 x %list]* null, void (%list, %other)* null, %other* bitcast (%list* @head to %other*) }
@fn = global i32 (i8*, ...)* @printf
@space = global i8 addrspace(1)* null

declare i32 @printf(i8*, ...)
declare i32 (i32)* @chooser(i8)

define i32 @walk(%list* %start) {
entry:
  %next = getelementptr %list, %list* %start, i32 0, i32 1
  %p = load %list*, %list** %next, align 8
  %q = bitcast %list* %p to i8*
  %n = call i32 (i8*, ...) @printf(i8* %q, i32 1)
  %f = call i32 (i32)* @chooser(i8 1)
  %r = call i32 %f(i32 %n)
  ret i32 %r
}

; gives
module "case.ll" i128 8
global @head external: {i32, ptr, ptr, ptr, ptr} align 8 = {i32, ptr, ptr, ptr, ptr} {i32 7, ptr @head, ptr null, ptr null, ptr @head}
global @fn external: ptr align 8 = ptr @printf
global @space external: ptr align 8 = ptr null
function @printf external (v0: ptr, ...) -> i32
function @chooser external (v0: i8) -> ptr
function @walk external (v0 start: ptr) -> i32 {
b0 entry:
  v1 next: ptr = offset wraps v0, 8 st0
  v2 p: ptr = load v1 align 8 st0
  v3 n: i32 = call i32 @printf(v2, i32 1) fixed 1 st0
  v4 f: ptr = call ptr @chooser(i8 1) st0
  v5 r: i32 = call i32 indirect v4(v3) st0
  return v5 st0
}
statement st0 @walk b0
