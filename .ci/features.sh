# Sourced. `features PACKAGE [OTHER...]` prints the package's features by its manifest, but for the others;
# `default` and `full` are sets of features.
metadata=$(cargo metadata --format-version 1 --no-deps)
features() {
    python3 -c 'import json, sys
for package in json.load(sys.stdin)["packages"]:
    if package["name"] == sys.argv[1]:
        print(*sorted(set(package["features"]) - {"default", "full", *sys.argv[2:]}))' "$@" <<<"$metadata"
}
