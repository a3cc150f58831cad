/** Stored values of one kind that depend on a secret of the gateway, and their move to its current one. */
export type Renewal = {
  /** Name of the records, in the plural. */
  readonly what: string;
  /** Makes anew what was made with older secrets; may run while gateways work, and again after a crash. */
  run(): Promise<Renewed>;
};

type Renewed = {
  readonly renewed: number;
  /** Records that still need an older secret, a sentence each. */
  readonly left: readonly string[];
};
