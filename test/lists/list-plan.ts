// How a list of the graph is asked in tests, and what it may read.

/** A value that few rows have, and one that many have where there is such a one. */
export interface Asked {
  rare: unknown;
  common?: unknown;
}

export interface ListPlan {
  /** Where the list is a field of something: the query that finds it. */
  parent?: string;
  /** By the argument's or the filter's name: every one needs values. */
  asked?: Record<string, Asked>;
  /** Filters, and orders, that no index serves to every caller: they follow the order, and the database ends them in time. */
  followed?: readonly string[];
  /** The same only where there are many more rows. */
  followedWhenMany?: readonly string[];
  /** Arguments that are always given. */
  always?: Record<string, unknown>;
  /** Documents of the one parent that are added up for an answer, whatever its length. */
  sums?: number;
  /** Its total is counted among all that the caller may see. */
  isTotalFollowed?: boolean;
  /** Staff are refused. */
  isForAccounts?: boolean;
}
