/** One request of a test with its answer, as the recorder writes it. */
export type Exchange = {
  readonly method: string;
  /** The path that was sent, with its query. */
  readonly path: string;
  readonly request?: unknown;
  readonly status: number;
  readonly answer: unknown;
};

/** An exchange with a known operation. */
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

/** Finds the operation of an exchange; null for an unknown one. */
export const createFinder = (document: object): ((exchange: Exchange) => Asked | null) => {
  const { paths } = document as { readonly paths: Paths };
  const templates = Object.keys(paths)
    .map((path) => ({ path, pattern: patternOf(path) }))
    // A path without parameters takes precedence over one that matches only by a parameter.
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
