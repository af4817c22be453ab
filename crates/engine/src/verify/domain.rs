//! Small domains: all their datasets, and all their pairs of neighbors.

use plaudit_core::dataset::{Cell, Dataset, Neighboring, Relation, Table};

/// Datasets and pairs of neighbors among them: the scope of a proof.
#[derive(Clone, Debug)]
pub struct Domain<D> {
    /// The datasets in words.
    pub words: String,
    pub datasets: Vec<D>,
    /// Pairs of neighbors, by their places in `datasets`, each pair once.
    pub pairs: Vec<(usize, usize)>,
    /// Relation between these pairs and all neighbors.
    pub extent: Extent,
}

/// Relation between the pairs of a domain and all neighbors.
#[derive(Clone, Debug, PartialEq)]
pub enum Extent {
    /// Pairs that the caller named.
    Named,
    /// All neighbors among the datasets under a relation, some of them as far apart as it allows.
    Whole(Relation),
    /// All neighbors among the datasets under a relation of rows, which may have other values than those
    /// of the domain.
    Values(Relation),
    /// All neighbors among the datasets under a distance, all closer than it allows.
    Nearer(Relation),
}

/// Reason why a domain is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DomainError {
    /// More datasets or pairs than a proof can handle.
    #[error("the domain has more than {most} {what}: name fewer values, or fewer of them")]
    TooLarge { what: &'static str, most: usize },
    #[error("no two datasets of the domain are neighbors under {0}")]
    NoNeighbors(String),
    /// A value that this kind of dataset cannot hold.
    #[error("the value `{0}` is not a number: rows of other values need a `column`")]
    NotANumber(String),
}

/// Most datasets of a domain.
pub const MOST_DATASETS: usize = 20_000;
/// Most datasets of [`Sequences`] under a distance, for which all pairs are tried.
pub const MOST_WITHIN: usize = 3_000;
/// Most pairs of a domain.
pub const MOST_PAIRS: usize = 1_000_000;

impl<D> Domain<D> {
    /// The domain of given pairs only.
    pub fn of_pairs(pairs: impl IntoIterator<Item = (D, D)>) -> Self {
        let mut domain = Self {
            words: String::new(),
            datasets: Vec::new(),
            pairs: Vec::new(),
            extent: Extent::Named,
        };
        domain.add(pairs);
        domain.words = match domain.pairs.len() {
            1 => "the pair given".to_owned(),
            n => format!("the {n} pairs given"),
        };
        domain
    }

    /// Adds pairs that may be outside the domain.
    pub fn add(&mut self, pairs: impl IntoIterator<Item = (D, D)>) {
        for (d, d_prime) in pairs {
            self.pairs.push((self.datasets.len(), self.datasets.len() + 1));
            self.datasets.extend([d, d_prime]);
        }
    }
}

impl<D> Domain<D> {
    /// Declares that rows have no other values than those of the domain, or that others reveal no
    /// more: a proof on it is then one for all neighbors of such sizes. The caller guarantees that.
    #[must_use]
    pub fn exhaustive(mut self) -> Self {
        if let Extent::Values(relation) = self.extent {
            self.extent = Extent::Whole(relation);
        }
        self
    }
}

impl<D: Neighboring> Domain<D> {
    /// These datasets, and all pairs of neighbors among them. Under substitution and add/remove a proof
    /// on them covers the relation only if rows can have no other values: see [`Domain::exhaustive`].
    ///
    /// # Errors
    /// If there are too many, or no two are neighbors.
    pub fn of(
        words: impl Into<String>,
        datasets: Vec<D>,
        relation: &Relation,
    ) -> Result<Self, DomainError> {
        if datasets.len() > MOST_DATASETS {
            return Err(too_many("datasets", MOST_DATASETS));
        }
        let mut pairs = Vec::new();
        for (at, d) in datasets.iter().enumerate() {
            let others = datasets.iter().enumerate().skip(at + 1);
            let neighbors = others.filter(|(_, other)| d.check(other, relation, 1).is_ok());
            pairs.extend(neighbors.map(|(other, _)| (at, other)));
            if pairs.len() > MOST_PAIRS {
                return Err(too_many("pairs", MOST_PAIRS));
            }
        }
        if pairs.is_empty() {
            return Err(DomainError::NoNeighbors(relation.to_string()));
        }
        let extent = extent(&datasets, &pairs, relation);
        Ok(Self { words: words.into(), datasets, pairs, extent })
    }
}

/// Factor by which a distance must be smaller for a pair to be nearer: above the rounding that
/// [`Relation::check`] allows.
const NEARER: f64 = 1.0 - 4e-12;

/// Extent of pairs that are all neighbors among the datasets.
fn extent<D: Neighboring>(datasets: &[D], pairs: &[(usize, usize)], relation: &Relation) -> Extent {
    let nearer = match *relation {
        Relation::L1(distance) => Relation::L1(distance * NEARER),
        Relation::L2(distance) => Relation::L2(distance * NEARER),
        Relation::Linf(distance) => Relation::Linf(distance * NEARER),
        Relation::Substitution | Relation::AddRemove => return Extent::Values(relation.clone()),
        Relation::Histogram | Relation::RemoveAll(_) | Relation::ReplaceAll(_) => {
            return Extent::Whole(relation.clone());
        }
    };
    let is_nearer =
        |&(d, d_prime): &(usize, usize)| datasets[d].check(&datasets[d_prime], &nearer, 1).is_ok();
    match pairs.iter().all(is_nearer) {
        true => Extent::Nearer(relation.clone()),
        false => Extent::Whole(relation.clone()),
    }
}

/// All sequences of some values, of some lengths: numbers, or rows of a table with one column.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequences {
    /// The values, each once.
    pub values: Vec<Cell>,
    /// Fewest values of a sequence.
    pub least: usize,
    /// Most values of a sequence.
    pub most: usize,
    pub column: Option<String>,
}

impl Sequences {
    /// Domain of these sequences under a relation. For rows see [`Domain::exhaustive`].
    ///
    /// # Errors
    /// As [`Domain::of`], or if a value of a list of numbers is not a number.
    pub fn domain(&self, relation: &Relation) -> Result<Domain<Dataset>, DomainError> {
        let count = |length: usize| {
            let length = u32::try_from(length).ok()?;
            self.values.len().checked_pow(length)
        };
        let most = if relation.is_of_rows() { MOST_DATASETS } else { MOST_WITHIN };
        let all = (self.least..=self.most).try_fold(0usize, |sum, n| sum.checked_add(count(n)?));
        if all.is_none_or(|all| all > most) {
            return Err(too_many("datasets", most));
        }
        let mut datasets = Vec::new();
        for length in self.least..=self.most {
            for number in 0..self.values.len().pow(length as u32) {
                datasets.push(self.dataset(length, number)?);
            }
        }
        // Most datasets are not neighbors: those that are need not be searched for among all.
        let pairs = if relation.is_of_rows() { Some(self.row_pairs(relation)) } else { None };
        match pairs {
            None => Domain::of(self.words(), datasets, relation),
            Some(pairs) if pairs.is_empty() => Err(DomainError::NoNeighbors(relation.to_string())),
            Some(pairs) if pairs.len() > MOST_PAIRS => Err(too_many("pairs", MOST_PAIRS)),
            Some(pairs) => {
                let extent = Extent::Values(relation.clone());
                Ok(Domain { words: self.words(), datasets, pairs, extent })
            }
        }
    }

    /// The dataset whose entries are the digits of a number, the first entry the last digit.
    fn dataset(&self, length: usize, mut number: usize) -> Result<Dataset, DomainError> {
        let mut cells = Vec::with_capacity(length);
        for _ in 0..length {
            cells.push(self.values[number % self.values.len()].clone());
            number /= self.values.len();
        }
        match &self.column {
            Some(column) => {
                let rows = cells.into_iter().map(|cell| vec![cell]).collect();
                Ok(Dataset::Table(Table { columns: vec![column.clone()], rows }))
            }
            None => {
                let number = |cell: Cell| {
                    cell.number().ok_or_else(|| DomainError::NotANumber(cell.to_string()))
                };
                cells.into_iter().map(number).collect::<Result<_, _>>().map(Dataset::Numbers)
            }
        }
    }

    fn row_pairs(&self, relation: &Relation) -> Vec<(usize, usize)> {
        let base = self.values.len();
        let mut pairs = Vec::new();
        let mut first = 0;
        for length in self.least..=self.most {
            let count = base.pow(length as u32);
            for number in 0..count {
                if pairs.len() > MOST_PAIRS {
                    return pairs;
                }
                for entry in 0..length {
                    let place = base.pow(entry as u32);
                    let digit = number / place % base;
                    if *relation == Relation::Substitution {
                        let larger =
                            (digit + 1..base).map(|other| number + (other - digit) * place);
                        pairs.extend(larger.map(|other| (first + number, first + other)));
                    } else if length > self.least {
                        // Without this entry; one of several equal ones in a row is as good.
                        let above = number / (place * base);
                        if entry > 0 && number / (place / base) % base == digit {
                            continue;
                        }
                        let shorter = number % place + above * place;
                        pairs.push((first - base.pow(length as u32 - 1) + shorter, first + number));
                    }
                }
            }
            first += count;
        }
        pairs
    }

    fn words(&self) -> String {
        let values: Vec<String> = self
            .values
            .iter()
            .map(|cell| match cell {
                Cell::Text(text) => format!("\"{text}\""),
                other => other.to_string(),
            })
            .collect();
        let lengths = match (self.least, self.most) {
            (least, most) if least == most => format!("{most}"),
            (least, most) => format!("{least} to {most}"),
        };
        let entries = match (self.column.is_some(), self.most) {
            (true, 1) => "row",
            (true, _) => "rows",
            (false, 1) => "entry",
            (false, _) => "entries",
        };
        format!("all datasets of {lengths} {entries} from {{{}}}", values.join(", "))
    }
}

fn too_many(what: &'static str, most: usize) -> DomainError {
    DomainError::TooLarge { what, most }
}
