import type { Config } from './config.ts';

/** Connections to stores, providers and receivers of webhooks, and files. */
const OTHERS = 300;

/** Files and connections that this process may have open at once; null where the system sets no limit. */
const openFilesLimit = (): number | null => {
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | 'unlimited' } };
  };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
};

/**
 * A sentence for the log where the system lets a process open fewer connections than the settings promise, else null.
 * Connections beyond them would be reset without a word.
 */
export const openFilesWarning = (
  { maxConnections }: Pick<Config, 'maxConnections'>,
  limit = openFilesLimit(),
): string | null =>
  limit === null || limit >= maxConnections + OTHERS
    ? null
    : `This process may open ${limit} files and connections, and MAX_CONNECTIONS=${maxConnections} needs ${maxConnections + OTHERS}: raise the limit (ulimit -n, LimitNOFILE) or lower MAX_CONNECTIONS.`;
