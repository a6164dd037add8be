@type = external constant ptr
declare i32 @__gxx_personality_v0(...)
declare i32 @may_throw(ptr)
declare void @llvm.donothing()

define i32 @f(ptr %p) personality ptr @__gxx_personality_v0 {
entry:
  %r = invoke noundef i32 @may_throw(ptr noundef %p) #1
          to label %next unwind label %pad, !dbg !0
next:
  invoke void @llvm.donothing()
          to label %fine unwind label %pad
fine:
  ret i32 %r
pad:
  %e = landingpad { ptr, i32 }
          cleanup
          catch ptr @type
          catch ptr null
          filter [1 x ptr] [ptr @type]
  resume { ptr, i32 } %e
}

!0 = !{}

; gives
module "case.ll" i128 8
global @type external: ptr align 8 constant
function @__gxx_personality_v0 external (...) -> i32
function @may_throw external (v0: ptr) -> i32
function @f external (v0 p: ptr) -> i32 {
b0 entry:
  v1 r: i32 = invoke i32 @may_throw(v0) to b1 unwind b3 st0
b1 next:
  jump b2 st1
b2 fine:
  return v1 st2
b3 pad:
  v2 e: {ptr, i32} = landingpad st3
  resume v2 st3
}
statement st0 @f b0
statement st1 @f b1
statement st2 @f b2
statement st3 @f b3
