//! Examples, for `--help`.

pub(super) const ALL: &str =
    "  plaudit init                      a first spec and program in audits/, to start from
  plaudit audit                     audit all specs in audits/, report in reports/
  plaudit gate                      the same as a CI gate: red or green
  plaudit diff OLD NEW              what differs between two reports
  plaudit list audits               what there is to audit
  plaudit mutant audits/my.toml     the same audits with half the noise, which must be found
  plaudit verify audits             what of it can be proved, without sampling
  plaudit replay CERTIFICATE        check a violation with fresh randomness
  plaudit sheet reports/report.json what an evaluation of the guarantee should state
  plaudit attest make reports --key key
                                    a signed statement of what the report shows
  plaudit account 'gaussian(sigma=1) x 1000 @ poisson(0.01)' --delta 1e-5
                                    the epsilon of a composition, from below and above
  plaudit attack membership members.txt others.txt
                                    what an attack's scores certify of epsilon, delta and mu
  plaudit canaries scores.csv       what canaries in one training run certify of epsilon and mu
  plaudit COMMAND --help            options and examples of a command";

pub(super) const AUDIT: &str =
    "  plaudit audit                             audit all specs in audits/, report in reports/
  plaudit audit my.toml --trials 1e7        one file, ten million runs an audit
  plaudit audit --filter '^svt' --seed 7    some of the audits, other randomness
  plaudit audit --format json > r.json      the report on standard output, too";

pub(super) const MERGE: &str =
    "  plaudit merge shards/shard-*-of-4.json    one report of what four runs of `--shard K/4` counted
  plaudit merge shard-1-of-1.json --format json > r.json
                                            the report on standard output, too";

pub(super) const GATE: &str =
    "  plaudit gate                              audit all specs in audits/; exit code 0 if green
  plaudit gate --baseline main/report.json --junit junit.xml --sarif plaudit.sarif
                                            also red if a claim is looser or an audit gone
  plaudit gate --changed-since origin/main  only audits that the change touches
  plaudit gate --accepted accepted.toml     failures that are accepted, each with a reason and a last day
  plaudit gate --seed fresh --ledger ledger.json
                                            nightly: evidence adds up over the runs of an audit
  plaudit gate --annotations --markdown comment.md
                                            for GitHub: annotations in the log, a comment";

pub(super) const DIFF: &str = "  plaudit diff main/report.json reports/report.json
                                            what differs, audit by audit
  plaudit diff OLD NEW --format html --out diff.html
                                            the same as a page
  plaudit diff OLD NEW --exit-code          1 if anything differs";

pub(super) const LIST: &str =
    "  plaudit list                              all audits of the specs in audits/
  plaudit list my.toml --format json        those of one file, for programs";

pub(super) const MUTANT: &str =
    "  plaudit mutant audits/my.toml > audits/my-mutants.toml
                                            each audit with half the noise and `expect = \"violated\"`";

pub(super) const REPLAY: &str = "  plaudit replay reports/certificates/svt-6.json
                                            once more, with fresh randomness
  plaudit replay CERTIFICATE --alpha 1e-9   at a level of your own
  plaudit replay CERTIFICATE --pair smallest
                                            only on the smallest pair that it was shrunk to
  plaudit replay CERTIFICATE --run-program  of a program, if you trust it";

pub(super) const VERIFY: &str =
    "  plaudit verify audits                     the audits that ask for a proof with `verify`
  plaudit verify my.toml --all              whatever can be proved of one file's";

pub(super) const ACCOUNT: &str =
    "  plaudit account 'gaussian(sigma=1) x 1000 @ poisson(0.01)' --delta 1e-5
                                            the epsilon of a composition, from below and above
  plaudit account 'laplace(scale=2) x 3' --epsilon 1
                                            its delta at an epsilon
  plaudit account 'gaussian(sigma=1) x 10' --epsilon 1 --delta 1e-5 --solve sigma
                                            the noise that meets both";

pub(super) const ATTACK: &str =
    "  plaudit attack membership members.txt others.txt
                                            what scores of an attack certify of epsilon, delta and mu
  plaudit attack reconstruct --noise laplace --scale 1,5,20
                                            how much of a table noisy counts give away
  plaudit attack link released.csv voters.csv --on zip,birth,sex
                                            how many rows another table puts names to
  plaudit attack membership --help          options and examples of an attack";

pub(super) const ATTACK_AVERAGE: &str =
    "  plaudit attack average --noise laplace --scale 2 --queries 100
                                            what 100 fresh answers tell of one person
  plaudit attack average --noise gaussian --scale 5 --budget 1 --format json
                                            answers up to epsilon = 1, for programs";

pub(super) const ATTACK_RECONSTRUCT: &str =
    "  plaudit attack reconstruct --noise laplace --scale 1,5,20
                                            100 people, 400 counts: what three amounts of noise hide
  plaudit attack reconstruct --noise bounded --scale 1 --entries 16 --decoder exhaustive
                                            all tables against all answers, beside the bound of 4E
  plaudit attack reconstruct --noise gaussian --epsilon-per-query 0.1 --data bits.txt --format json
                                            a table of your own, for programs";

pub(super) const ATTACK_LINK: &str =
    "  plaudit attack link released.csv voters.csv --on zip,birth,sex
                                            how many rows another table puts names to
  plaudit attack link released.csv voters.csv --on zip,birth,sex --truth id
                                            and how many of these names are right
  plaudit attack link released.csv voters.csv --on zip,sex --epsilon 1 --format json
                                            beside it, noisy counts in place of the table, for programs";

pub(super) const ATTACK_MEMBERSHIP: &str =
    "  plaudit attack membership members.txt others.txt
                                            what scores of an attack certify of epsilon, delta and mu
  plaudit attack membership in.csv out.csv --column loss --epsilon 1 --delta 1e-5
                                            whether they refute (1, 1e-5)-differential privacy
  plaudit attack membership in.jsonl out.jsonl --mu 0.5 --alpha 1e-6 --format json
                                            the same of a claim of Gaussian DP, for programs";

pub(super) const CANARIES: &str =
    "  plaudit canaries scores.csv               what canaries in one training run certify of epsilon and mu
  plaudit canaries scores.csv --epsilon 1 --delta 1e-5
                                            whether they refute (1, 1e-5)-differential privacy
  plaudit canaries scores.jsonl --score-column loss --in-column was_in --guesses 100
                                            other names, and a number of guesses that was fixed beforehand
  plaudit canaries scores.csv --mu 1 --choose split --format json
                                            a claim of Gaussian DP, the number chosen on some canaries, for programs";

pub(super) const BENCHMARK: &str =
    "  plaudit benchmark --trials 1e5 --seeds 1  a quick look at all of its mechanisms
  plaudit benchmark --filter '^svt'         some of them, at every budget";

pub(super) const SHEET: &str =
    "  plaudit sheet reports/report.json         the questions of an evaluation, answered by audit
  plaudit sheet reports/report.json --format registry --audit voters > voters.yaml
                                            a draft for OpenDP's registry of deployments";

pub(super) const ATTEST: &str = "  plaudit attest make reports --key minisign.key
                                            writes reports/attestation.json and its signature
  plaudit attest verify reports/attestation.json --key minisign.pub
                                            checks it, without data and without the mechanism
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
    "  plaudit config                            what counts without flags, and what says so
  plaudit config --format json              the same for programs";

pub(super) const INIT: &str =
    "  plaudit init && plaudit gate audits       a spec, a planted mistake and a program; green
  plaudit init privacy --language rust      elsewhere, in another language";

pub(super) const COMPLETIONS: &str =
    "  plaudit completions bash > ~/.local/share/bash-completion/completions/plaudit
  plaudit completions zsh > _plaudit        for a folder of $fpath";

pub(super) const MAN: &str = "  plaudit man ~/.local/share/man/man1       then `man plaudit-gate`";
