/** Stored values of one kind that depend on a secret of the gateway, and how they go over to its current one. */
export type Renewal = {
  /** What they are, in the plural. */
  readonly what: string;
  /** Makes anew what was made with older secrets; may run while gateways work, and again after a crash. */
  run(): Promise<Renewed>;
};

export type Renewed = {
  readonly renewed: number;
  /** What still needs an older secret, a sentence each. */
  readonly left: readonly string[];
};
