#!/bin/sh
# nightly.sh LIST DIRECTORY REPORT: compares DIRECTORY with LIST. Exits as the audit does. Messages
# are in REPORT.err, so that REPORT is JSON.
set -u
list=$1 directory=$2 report=$3

# a run that takes longer than a day must not be overtaken by the next one; `exec` alone would end the
# script without an alarm if there is no such folder
if true >>"$report.lock" && exec 9>"$report.lock" && flock --nonblock 9; then
    jlanes-sum --audit "$list" --quiet --json --summary "$directory" >"$report.new" 2>"$report.err"
    status=$?
    mv "$report.new" "$report" || status=2
else
    status=2
    echo "the last run is not done, or $report cannot be written" >&2
fi

case $status in
0) ;;
1) cat "$report.err" "$report" | mail -s "$directory differs from $list" root ;;
*) logger -p user.crit "the audit of $directory failed, see $report.err" ;;
esac
exit $status
