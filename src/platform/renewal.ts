/** Moves stored values of one kind, which depend on a secret of the gateway, to the current secret. */
export type Renewal = {
  /** Plural name of the records. */
  readonly what: string;
  /** Recreates the values that older secrets made. It may run while gateways work, and again after a crash. */
  run(): Promise<Renewed>;
};

type Renewed = {
  readonly renewed: number;
  /** Records that still need an older secret, one sentence for each. */
  readonly left: readonly string[];
};
