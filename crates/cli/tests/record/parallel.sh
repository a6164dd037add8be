# Many at once.
for n in 1 2 3 4 5 6 7 8; do (echo $n; echo $n) | ./tally & done
wait
./tally tests/data/one | ./tally -c | ./tally -c
