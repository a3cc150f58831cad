/** One request of a test with its answer, as a line of the recorder says it. */
export type Exchange = {
  readonly method: string;
  /** With its query, as it was sent. */
  readonly path: string;
  readonly request?: unknown;
  readonly status: number;
  readonly answer: unknown;
};

/** An exchange of a known operation. */
export type Asked = {
  readonly operationId: string;
  readonly tag: string;
  /** Values of the path's parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly request?: unknown;
  readonly status: number;
  readonly answer: unknown;
};

type Operation = { readonly operationId: string; readonly tags: readonly string[] };
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** Finds the operation that an exchange asked; null where there is none. */
export const createFinder = (document: object): ((exchange: Exchange) => Asked | null) => {
  const { paths } = document as { readonly paths: Paths };
  const templates = Object.keys(paths)
    .map((path) => ({ path, pattern: patternOf(path) }))
    // A path without parameters is meant before one that matches it by a parameter.
    .sort((left, right) => left.path.split('{').length - right.path.split('{').length);
  return ({ method, path, request, status, answer }) => {
    const [pathname = ''] = path.split('?');
    for (const { path: template, pattern } of templates) {
      const operation = paths[template]?.[method];
      const match = operation && pattern.exec(pathname);
      if (operation && match) {
        const parameters = { ...match.groups };
        return {
          operationId: operation.operationId,
          tag: operation.tags[0] ?? '',
          parameters,
          request,
          status,
          answer,
        };
      }
    }
    return null;
  };
};

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)').replaceAll('.', '\\.')}$`);
