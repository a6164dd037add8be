# What is expected to fail.
expect() { status=$1; shift; "$@" > /dev/null 2>&1; [ $? = $status ] || { echo "failed: $*"; exit 1; }; }
expect 1 ./tally missing
expect 1 ./tally tests/data/text
expect 2 ./tally -z
expect 1 ./tally -d nowhere
expect 1 ./tally -o nowhere/x tests/data/one
expect 1 ./tally tests/data/one missing tests/data/two
expect 134 ./tally -x
expect 139 ./tally -S
expect 1 $PWD/tally /nowhere/at/all
echo word | ./tally 2>&1 | grep number
yes 1 | head -c 100000 | ./tally -c
