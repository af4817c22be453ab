//! Examples, for `--help`.

pub(super) const ALL: &str =
    "  plaudit init                      a first spec and program in audits/, to start from
  plaudit audit                     audit all specs in audits/, report in reports/
  plaudit gate                      the same as a CI gate: red or green
  plaudit diff OLD NEW              the differences between two reports
  plaudit list audits               the audits in the specs
  plaudit mutant audits/my.toml     the same audits with half the noise, which must be found
  plaudit verify audits             what can be proved, without sampling
  plaudit replay CERTIFICATE        reproduce a violation with fresh randomness
  plaudit sheet reports/report.json what an evaluation of the guarantee should state
  plaudit attest make reports --key key
                                    a signed statement of the report's results
  plaudit account 'gaussian(sigma=1) x 1000 @ poisson(0.01)' --delta 1e-5
                                    the epsilon of a composition, from below and above
  plaudit budget ledger.toml add 'gaussian(sigma=20)'
                                    a release under a budget, chosen after earlier ones were seen
  plaudit attack membership members.txt others.txt
                                    bounds on epsilon, delta and mu from an attack's scores
  plaudit canaries scores.csv       bounds on epsilon and mu from canaries in one training run
  plaudit check diffprivlib.mechanisms:Laplace --epsilon 1 --sensitivity 1 --d 0
                                    what a Python library claims of its own mechanism
  plaudit law 'laplace(scale=2)' draws.txt
                                    whether a sampler's noise follows its law
  plaudit COMMAND --help            options and examples of a command";

pub(super) const AUDIT: &str =
    "  plaudit audit                             audit all specs in audits/, report in reports/
  plaudit audit my.toml --trials 1e7        one file, ten million runs per audit
  plaudit audit --filter '^svt' --seed 7    some of the audits, with other randomness
  plaudit audit --format json > r.json      also print the report on standard output";

pub(super) const MERGE: &str =
    "  plaudit merge shards/shard-*-of-4.json    one report from four runs of `--shard K/4`
  plaudit merge shard-1-of-1.json --format json > r.json
                                            also print the report on standard output";

pub(super) const GATE: &str =
    "  plaudit gate                              audit all specs in audits/; exit code 0 if green
  plaudit gate --baseline main/report.json --junit junit.xml --sarif plaudit.sarif
                                            also red if a claim is looser or an audit is missing
  plaudit gate --changed-since origin/main  only audits that the change touches
  plaudit gate --accepted accepted.toml     accepted failures, each with a reason and a last day
  plaudit gate --seed fresh --ledger ledger.json
                                            nightly: evidence adds up over the runs of an audit
  plaudit gate --annotations --markdown comment.md
                                            for GitHub: annotations in the log, a comment";

pub(super) const DIFF: &str = "  plaudit diff main/report.json reports/report.json
                                            the differences, audit by audit
  plaudit diff OLD NEW --format html --out diff.html
                                            the same as a page
  plaudit diff OLD NEW --exit-code          1 if anything differs";

pub(super) const LIST: &str =
    "  plaudit list                              all audits of the specs in audits/
  plaudit list my.toml --format json        the audits of one file, for programs";

pub(super) const MUTANT: &str =
    "  plaudit mutant audits/my.toml > audits/my-mutants.toml
                                            each audit with half the noise and `expect = \"violated\"`";

pub(super) const REPLAY: &str = "  plaudit replay reports/certificates/svt-6.json
                                            once more, with fresh randomness
  plaudit replay CERTIFICATE --alpha 1e-9   at a level you choose
  plaudit replay CERTIFICATE --pair smallest
                                            only the smallest pair it was shrunk to
  plaudit replay CERTIFICATE --run-program  a program's certificate, if you trust the program";

pub(super) const VERIFY: &str =
    "  plaudit verify audits                     the audits with `verify`
  plaudit verify my.toml --all              everything in one file that can be proved";

pub(super) const ACCOUNT: &str =
    "  plaudit account 'gaussian(sigma=1) x 1000 @ poisson(0.01)' --delta 1e-5
                                            the epsilon of a composition, from below and above
  plaudit account 'laplace(scale=2) x 3' --epsilon 1
                                            its delta at an epsilon
  plaudit account 'gaussian(sigma=1) x 1000 @ poisson(0.01)' --fpr 0.01
                                            the best attack's true-positive rate
  plaudit account 'gaussian(sigma=1) x 10' --epsilon 1 --delta 1e-5 --solve sigma
                                            the noise that meets both; so for scale, rate and count
  plaudit account history.json --epsilon 8 --delta 1e-5 --claim
                                            whether a training that opacus recorded keeps its claim
  plaudit account 'laplace(scale=2) x 3' --attack
                                            what the best attackers reach: advantage, mu, success";

pub(super) const BUDGET: &str = "  plaudit budget ledger.toml new --epsilon 1 --delta 1e-5
                                            state the budget, once
  plaudit budget ledger.toml add 'gaussian(sigma=20) x 3' --note 'ages by region'
                                            before the release; exit code 1 if it exceeds what is left
  plaudit budget ledger.toml show           the releases, and what is spent and left
  plaudit budget ledger.toml check          exit code 1 if the releases do not keep the budget";

pub(super) const BUDGET_NEW: &str = "  plaudit budget ledger.toml new --epsilon 1 --delta 1e-5
                                            adds up rho
  plaudit budget ledger.toml new --epsilon 3 --delta 1e-6 --filter renyi:16
                                            adds up Rényi divergences: for DP-SGD";

pub(super) const BUDGET_ADD: &str =
    "  plaudit budget ledger.toml add 'gaussian(sigma=20) x 3' --note 'ages by region'
                                            three releases with Gaussian noise
  plaudit budget ledger.toml add 'laplace(scale=50) + exponential-mechanism(epsilon=0.01)'
                                            both or neither";

pub(super) const BUDGET_CHECK: &str = "  plaudit budget ledger.toml check          exit code 1 if the releases do not keep the budget";

pub(super) const BUDGET_SHOW: &str =
    "  plaudit budget ledger.toml show --fixed   also what `plaudit account` has for these events
  plaudit budget ledger.toml show --format json
                                            for programs";

pub(super) const ATTACK: &str = "  plaudit attack membership members.txt others.txt
                                            bounds on epsilon, delta and mu from an attack's scores
  plaudit attack reconstruct --noise laplace --scale 1,5,20
                                            how much of a table noisy counts reveal
  plaudit attack link released.csv voters.csv --on zip,birth,sex
                                            how many rows another table identifies
  plaudit attack single-out original.csv released.csv --control control.csv
                                            rows that a release singles out
  plaudit attack membership --help          options and examples of an attack";

pub(super) const ATTACK_AVERAGE: &str =
    "  plaudit attack average --noise laplace --scale 2 --queries 100
                                            what 100 fresh answers reveal about one person
  plaudit attack average --noise gaussian --scale 5 --budget 1 --format json
                                            answers up to epsilon = 1, for programs";

pub(super) const ATTACK_RECONSTRUCT: &str =
    "  plaudit attack reconstruct --noise laplace --scale 1,5,20
                                            100 people, 400 counts: what three amounts of noise hide
  plaudit attack reconstruct --noise bounded --scale 1 --entries 16 --decoder exhaustive
                                            every table against every answer, next to the bound of 4E
  plaudit attack reconstruct --noise gaussian --epsilon-per-query 0.1 --data bits.txt --format json
                                            your own table, as JSON";

pub(super) const ATTACK_LINK: &str =
    "  plaudit attack link released.csv voters.csv --on zip,birth,sex
                                            how many rows another table identifies
  plaudit attack link released.csv voters.csv --on zip,birth,sex --truth id
                                            and how many of these names are correct
  plaudit attack link released.csv voters.csv --on zip,sex --epsilon 1 --format json
                                            also noisy counts in place of the table, as JSON";

pub(super) const ATTACK_SINGLE_OUT: &str =
    "  plaudit attack single-out original.csv released.csv --control control.csv
                                            rows that the release singles out, and that chance does
  plaudit attack single-out original.csv released.csv --control control.csv --columns zip,birth --conditions 2 --at-most 0.1
                                            whether it does so for one guess in ten because of the release
  plaudit attack single-out original.csv released.csv --conditions 1 --format json
                                            rare values, without a control, as JSON";

pub(super) const ATTACK_INFER: &str =
    "  plaudit attack infer original.csv released.csv --control control.csv --secret diagnosis --known zip,year,sex
                                            how often the diagnosis is guessed, and that of others
  plaudit attack infer original.csv released.csv --control control.csv --secret income --known zip,year,sex,job --at-most 0.1
                                            whether that is for more than one in ten because of the release
  plaudit attack infer original.csv released.csv --secret diagnosis --known zip,year --neighbors 5 --format json
                                            by five rows, without a control, as JSON";

pub(super) const ATTACK_MEMBERSHIP: &str = "  plaudit attack membership members.txt others.txt
                                            bounds on epsilon, delta and mu from an attack's scores
  plaudit attack membership in.csv out.csv --column loss --epsilon 1 --delta 1e-5
                                            whether they refute (1, 1e-5)-differential privacy
  plaudit attack membership in.jsonl out.jsonl --mu 0.5 --alpha 1e-6 --format json
                                            the same for a claim of Gaussian DP, as JSON
  plaudit attack membership scores.csv --label member --column loss --column margin
                                            one table of both groups, two attacks at one level
  plaudit attack membership --counts 432,208,2000
                                            true and false positives of 2 000 members and others";

pub(super) const CANARIES: &str =
    "  plaudit canaries scores.csv               bounds on epsilon and mu from canaries in one training run
  plaudit canaries scores.csv --epsilon 1 --delta 1e-5
                                            whether they refute (1, 1e-5)-differential privacy
  plaudit canaries scores.jsonl --score-column loss --in-column was_in --guesses 100
                                            other column names, and a number of guesses fixed beforehand
  plaudit canaries scores.csv --mu 1 --choose split --format json
                                            a claim of Gaussian DP, the number chosen on some canaries, for programs
  plaudit canaries scores.csv --epsilon 1 --choose ordered
                                            all numbers of guesses at once
  plaudit canaries epochs.csv --epsilon 1 --in-turn --score-column epoch1 --score-column epoch2
                                            after each step of one training, with one more column each time
  plaudit canaries versions.csv --versions --score-column a --score-column b --score-column c
                                            of three versions of each canary, the one that was in at place 0, 1 or 2";

pub(super) const BENCHMARK: &str =
    "  plaudit benchmark --trials 1e5 --seeds 1  a quick look at all of its mechanisms
  plaudit benchmark --filter '^svt'         some of them, at every budget
  plaudit benchmark --peers --trials 1e5    plaudit and other auditors on the same mechanisms";

pub(super) const CHECK: &str =
    "  plaudit check diffprivlib.mechanisms:Laplace --epsilon 1 --sensitivity 1 --d 0
  plaudit check diffprivlib.tools:mean --epsilon 1 --bounds '(0, 1)' --d '[0, 0, 1]' --trials 20000
  plaudit check mine:measurement --d 10 --d-prime 11
                                            a measurement of opendp, in mine.py of this folder";

pub(super) const LAW: &str =
    "  plaudit law 'laplace(scale=2)' draws.txt  100 000 draws find a scale that is 3 % off
  plaudit law 'discrete-gaussian(sigma=2)' draws.csv --column noise
  python3 noise.py | plaudit law 'gaussian(sigma=1)' - --answer 10
                                            noise that was added to 10, from standard input
  plaudit law --spec audits                 mechanisms of the audits that have a `law`";

pub(super) const SHEET: &str =
    "  plaudit sheet reports/report.json         the questions of an evaluation, answered by audit
  plaudit sheet reports/report.json --format registry --audit voters > voters.yaml
                                            a draft for OpenDP's registry of deployments";

pub(super) const ATTEST: &str = "  plaudit attest make reports --key minisign.key
                                            writes reports/attestation.json and its signature
  plaudit attest verify reports/attestation.json --key minisign.pub
                                            checks it without the data and the mechanism
  plaudit attest make --help                options and examples of each";

pub(super) const ATTEST_MAKE: &str = "  plaudit attest make reports --key minisign.key
                                            a key that `minisign -G` made
  plaudit attest make reports --unsigned    for cosign, or for `minisign -S`";

pub(super) const ATTEST_VERIFY: &str =
    "  plaudit attest verify reports/attestation.json --key minisign.pub
                                            the report is in the same folder
  plaudit attest verify a.json --key minisign.pub --report reports --program-root ~/src/tool
                                            the report and the program are elsewhere
  plaudit attest verify a.json --unsigned   only the contents: another tool checked the signature";

pub(super) const SCHEMA: &str =
    "  plaudit schema > report.schema.json       for programs that read report.json";

pub(super) const CONFIG: &str =
    "  plaudit config                            the settings without flags, and their source
  plaudit config --format json              the same for programs";

pub(super) const INIT: &str =
    "  plaudit init && plaudit gate audits       a spec, a planted mistake and a program; green
  plaudit init privacy --language rust      elsewhere, in another language";

pub(super) const COMPLETIONS: &str =
    "  plaudit completions bash > ~/.local/share/bash-completion/completions/plaudit
  plaudit completions zsh > _plaudit        for a folder of $fpath";

pub(super) const MAN: &str = "  plaudit man ~/.local/share/man/man1       then `man plaudit-gate`";
