; Characters and texts are told as text.
;: a0 character
;: a1 character
;: a2 character
;: a3 character
;: text arg1 zero a0 a1 a2 a3
;: b0 character
;: b1 character
;: b2 character
;: size unsigned 0..3
;: text stdin size b0 b1 b2
(declare-const a0 (_ BitVec 8))
(declare-const a1 (_ BitVec 8))
(declare-const a2 (_ BitVec 8))
(declare-const a3 (_ BitVec 8))
(declare-const b0 (_ BitVec 8))
(declare-const b1 (_ BitVec 8))
(declare-const b2 (_ BitVec 8))
(declare-const size (_ BitVec 32))

(push)
(assert (= b2 #x2d))
(check-sat)
;= b2 = '-'
(pop)

; what is not printable is escaped as in C
(push)
(assert (= b0 #x0a))
(assert (= b1 #x01))
(assert (distinct b2 #x27))
(check-sat)
;= b0 = '\n' ∧ b1 = '\x01' ∧ b2 ≠ '\''
(pop)

(push)
(assert (and (bvule #x30 b0) (bvule b0 #x39)))
(check-sat)
;= '0' ≤ b0 ≤ '9'
(pop)

; a whole text
(push)
(assert (and (= a0 #x69) (= a1 #x6e) (= a2 #x22) (= a3 #x00)))
(check-sat)
;= arg1 = "in\""
(pop)

(push)
(assert (= a0 #x00))
(check-sat)
;= arg1 = ""
(pop)

; a beginning
(push)
(assert (and (= a0 #x2d) (= a1 #x2d)))
(check-sat)
;= arg1 starts with "--"
(pop)

; lengths
(push)
(assert (and (distinct a0 #x00) (distinct a1 #x00) (distinct a2 #x00) (= a3 #x00)))
(check-sat)
;= length of arg1 = 3
(pop)

(push)
(assert (and (distinct a0 #x00) (distinct a1 #x00)))
(check-sat)
;= length of arg1 ≥ 2
(pop)

(push)
(assert (and (= a0 #x2d) (distinct a1 #x00) (distinct a1 #x2d) (= a2 #x00)))
(check-sat)
;= length of arg1 = 2 ∧ a0 = '-' ∧ a1 ≠ '-'
(pop)

; a text that has a length of its own
(push)
(assert (and (= size #x00000002) (= b0 #x61) (= b1 #x62)))
(check-sat)
;= stdin = "ab"
(pop)

(push)
(assert (and (bvult #x00000001 size) (= b0 #x61) (= b1 #x62)))
(check-sat)
;= stdin starts with "ab"
(pop)
