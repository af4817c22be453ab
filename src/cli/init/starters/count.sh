#!/bin/sh
# A mechanism for plaudit: a count with noise. Any language will do: put your own program in place of awk.
#
# plaudit starts this program, writes requests to its standard input, a line of JSON each, and reads one line for each run:
# {"plaudit": 1, "id": 17, "dataset": [17.0, 34.0], "runs": 4096, "seed": 1234567890123456789, "format": "json"}

scale=$1

while IFS= read -r request; do
    printf '%s\n' "$request" | awk -v scale="$scale" '
        # The rest of the line after a key.
        function after(key) {
            return substr($0, index($0, "\"" key "\":") + length(key) + 3)
        }
        # Whole noise for a whole count. Noise in doubles would leak through their lowest bits.
        function geometric() {
            return int(-scale * log(1 - rand()))
        }
        {
            runs = after("runs") + 0
            seed = after("seed")
            sub(/^ */, "", seed)
            sub(/[^0-9].*/, "", seed)
            # As many digits as any awk takes.
            srand(substr(seed, length(seed) > 9 ? length(seed) - 8 : 1) + 0)
            dataset = after("dataset")
            sub(/^ *\[/, "", dataset)
            sub(/\].*/, "", dataset)
            people = split(dataset, ages, /, */)
            exact = 0
            for (i = 1; i <= people; i++) if (ages[i] + 0 >= 18) exact++
            for (run = 0; run < runs; run++) print exact + geometric() - geometric()
        }'
done
