import { ConfigError } from '../src/kernel/errors.ts';

/** A whole number from 1 to `max` in the environment, or else `fallback`; throws a ConfigError for anything else. */
export const wholeNumber = (name: string, fallback: number, max: number): number => {
  const value = process.env[name] || String(fallback);
  if (!/^[1-9]\d{0,9}$/.test(value) || Number(value) > max)
    throw new ConfigError(`${name} must be a whole number from 1 to ${max}, not "${value}".`);
  return Number(value);
};
