//! Named patterns of neighboring query vectors (StatDP; Ding et al. 2018, Table 1).
