# Arguments, pipes and here-documents.
printf '1\n2\n' | ./tally
printf '1\n2\n' | ./tally -c
seq 1 2000 | ./tally
./tally <<END
10
20
END
cat <<END | grep -v x | ./tally -c
a
x
b
END
./tally < /dev/null
for n in 1 2 3 4 5 6 7 8 9 10; do echo $n | ./tally; done
result=$(echo 40 | ./tally)
[ "$result" = "-: 40" ] || exit 1
# The same once more: no further test.
echo 40 | ./tally
echo 5 | (exec ./tally -c)
echo 6 | sh -c 'cd . && ./tally'
