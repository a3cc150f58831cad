const STOP_WITHIN_MS = 10_000;

/** Ends the process after SIGTERM or SIGINT, once `stop` is done but after ten seconds at the latest. */
export const stopOnSignal = (stop: () => Promise<void>): void => {
  let isStopping = false;
  const end = (): void => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
};
