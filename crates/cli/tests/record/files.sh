# Files, directories, and files that do not lie where the program runs.
work=$(mktemp -d)
mkdir -p $work/sub/deep
seq 1 3 > $work/a
seq 4 6 > $work/sub/b
seq 7 9 > $work/sub/deep/c
here=$PWD
./tally tests/data/one tests/data/two
./tally < tests/data/one
./tally -c $PWD/tests/data/one
./tally $work/a $work/sub/b
./tally -d $work/sub
(cd $work && $here/tally a sub/b && $here/tally sub/deep/c)
(cd $work/sub && $here/tally ../a b deep/c)
(cd tests && ../tally data/one && ../tally ../tests/data/two)
./tally -o $work/out tests/data/one
# What it reads is what was there before it wrote.
(cd $work && cp a both && $here/tally -o both both; cat both)
mkdir $work/empty
./tally -d $work/empty
(cd $work && $here/tally -o empty/new a && cat empty/new)
{ read first; ./tally; } < tests/data/two
rm -r $work
