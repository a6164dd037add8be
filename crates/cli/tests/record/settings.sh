# The environment, and a file that the program looks for by itself.
echo 3 | TALLY_MODE=count ./tally
echo 3 | TALLY_MODE=other ./tally
export TALLY_MODE=count
printf '1\n1\n1\n' | ./tally
unset TALLY_MODE
work=$(mktemp -d)
here=$PWD
mkdir $work/conf
echo count > $work/conf/tally.conf
cd $work
printf '8\n8\n' | $here/tally
echo sum > conf/tally.conf
printf '8\n8\n' | $here/tally
LC_ALL=C.UTF-8 $here/tally -c conf/tally.conf
rm -r $work
