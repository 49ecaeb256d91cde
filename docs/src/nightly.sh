#!/bin/sh
# nightly.sh LIST DIRECTORY REPORT: compares DIRECTORY with LIST. Exits as the audit does.
set -u
list=$1 directory=$2 report=$3

# a run that takes longer than a day must not be overtaken by the next one
exec 9>"$report.lock"
if flock --nonblock 9; then
    jlanes-sum --audit "$list" --quiet --json --summary "$directory" >"$report.new" 2>&1
    status=$?
    mv "$report.new" "$report"
else
    status=2
    echo "the last run is not done" >&2
fi

case $status in
0) ;;
1) mail -s "$directory differs from $list" root <"$report" ;;
*) logger -p user.crit "the audit of $directory failed, see $report" ;;
esac
exit $status
