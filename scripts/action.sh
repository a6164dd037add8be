#!/bin/bash
# Compares the work tree with where its branch began, as a step of a workflow: see action.yml for
# what the variables mean. Ends with 0 or 1 as the user wants it, and otherwise as Ripple does.
set -u

cd "${RIPPLE_DIRECTORY:-.}" || exit 2

baseline=${RIPPLE_BASELINE:-}
if [ -z "$baseline" ] && [ -n "${RIPPLE_BASE_BRANCH:-}" ]; then
    baseline=origin/$RIPPLE_BASE_BRANCH
fi
# The first push of a branch has only zeros before it.
if [ -z "$baseline" ] && [ -n "${RIPPLE_BEFORE:-}" ] && [ -n "${RIPPLE_BEFORE//0/}" ]; then
    baseline=$RIPPLE_BEFORE
fi
baseline=${baseline:-HEAD~1}

read -r -a arguments <<<"${RIPPLE_ARGS:-}"
read -r -a paths <<<"${RIPPLE_PATHS:-}"

code=0
"${RIPPLE:-ripple}" compare --baseline-rev "$baseline" --format short \
    ${arguments[@]+"${arguments[@]}"} -- ${paths[@]+"${paths[@]}"} || code=$?

if [ -n "${GITHUB_OUTPUT:-}" ]; then
    {
        echo "exit-code=$code"
        echo "markdown=$PWD/ripple.out/report.md"
        echo "sarif=$PWD/ripple.out/report.sarif"
    } >>"$GITHUB_OUTPUT"
fi

case $code:${RIPPLE_FAIL_ON:-different} in
0:*) exit 0 ;;
1:nothing) exit 0 ;;
1:*) exit 1 ;;
3:inconclusive) exit 1 ;;
3:*) exit 0 ;;
*) exit "$code" ;;
esac
