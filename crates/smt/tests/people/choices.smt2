; Choices are told by their names.
;: arg1 choice add sub mul div
(declare-const arg1 (_ BitVec 32))

(push)
(assert (= arg1 #x00000000))
(check-sat)
;= arg1 = add
(pop)

(push)
(assert (distinct arg1 #x00000000))
(check-sat)
;= arg1 ≠ add
(pop)

(push)
(assert (bvult arg1 #x00000002))
(check-sat)
;= arg1 ∈ {add, sub}
(pop)

(push)
(assert (bvult arg1 #x00000004))
(check-sat)
;= true
(pop)
