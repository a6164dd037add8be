; a comment first

source_filename = "x.c"
newkind "something" = { of: the, future }
@a = newlinkage newword(5) global i32 1, newattribute, align 4
define newcc i32 @f(i32 newattr(3) "k"="v" %x) newfnattr(1, 2) #7 {
  ret i32 %x
}
uselistorder ptr @f, { 1, 0 }

; gives
module "case.ll" i128 8
global @a external: i32 align 4 = i32 1
function @f external (v0 x: i32) -> i32 {
b0:
  return v0 st0
}
statement st0 @f b0
