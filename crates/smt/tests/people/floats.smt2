; Floats are told as floats.
;: x float
;: y float
;: f float
(declare-const x Float64)
(declare-const y Float64)
(declare-const f Float32)

; a bound, which no NaN satisfies
(push)
(assert (fp.lt ((_ to_fp 11 53) RNE 2.5) x))
(assert (fp.leq x ((_ to_fp 11 53) RNE 1000.0)))
(check-sat)
;= 2.5 < x ≤ 1000.0
(pop)

; what does not hold may be due to a NaN
(push)
(assert (not (fp.lt ((_ to_fp 11 53) RNE 2.5) x)))
(check-sat)
;= (x ≤ 2.5 ∨ x is NaN)
(pop)

(push)
(assert (fp.isNaN x))
(assert (not (fp.isNaN y)))
(check-sat)
;= x is NaN ∧ y is not NaN
(pop)

; both zeros are equal to zero
(push)
(assert (fp.eq x ((_ to_fp 11 53) RNE 0.0)))
(assert (not (fp.eq y ((_ to_fp 11 53) RNE 0.0))))
(check-sat)
;= x = 0.0 ∧ y ≠ 0.0
(pop)

(push)
(assert (= x (_ -zero 11 53)))
(check-sat)
;= x is -0.0
(pop)

; the type of a constant is that of C
(push)
(assert (fp.leq ((_ to_fp 8 24) RNE 0.1) f))
(check-sat)
;= 0.1f ≤ f
(pop)

; terms
(push)
(assert (not (= (fp.mul RNE x ((_ to_fp 11 53) RNE 0.5)) (fp.div RNE x ((_ to_fp 11 53) RNE 3.0)))))
(check-sat)
;= x · 0.5 ≠ x / 3.0
(pop)

(push)
(assert (fp.lt (fp.add RNE x y) ((_ to_fp 11 53) RNE 1.0)))
(assert (fp.leq ((_ to_fp 11 53) RNE 0.25) (fp.add RNE x y)))
(check-sat)
;= 0.25 ≤ x + y < 1.0
(pop)

; the program's own comparison of two numbers
(push)
(assert (fp.eq x y))
(assert (not (fp.lt y x)))
(check-sat)
;= x == y ∧ ¬(y < x)
(pop)

; the same value, where one NaN is as good as another
(push)
(assert (or (= (fp.sqrt RNE x) (fp.neg y)) (and (fp.isNaN (fp.sqrt RNE x)) (fp.isNaN (fp.neg y)))))
(check-sat)
;= sqrt(x) = -y
(pop)
