import type { Config } from './config.ts';

/** Connections to stores, providers and webhook receivers, and open files. */
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
 * A warning where the system lets the process open fewer connections than the settings promise; null where it does not.
 * Further connections would be reset without a message.
 */
export const openFilesWarning = (
  { maxConnections }: Pick<Config, 'maxConnections'>,
  limit = openFilesLimit(),
): string | null =>
  limit === null || limit >= maxConnections + OTHERS
    ? null
    : `This process may open ${limit} files and connections, and MAX_CONNECTIONS=${maxConnections} needs ${maxConnections + OTHERS}: raise the limit (ulimit -n, LimitNOFILE) or lower MAX_CONNECTIONS.`;
