/** Members of an address that tell where somebody is in a list, and not how the list looks. */
const PASSING = ['page', 'view', 'add', 'notes'];

/** The part of an address that a view keeps: its filters, order and columns. */
export const keptOf = (params: URLSearchParams): string => {
  const kept = [...params].filter(([name, value]) => !PASSING.includes(name) && value !== '');
  return new URLSearchParams(kept.toSorted(([one], [other]) => one.localeCompare(other))).toString();
};
