const WIDTH = 96;
const HEIGHT = 24;
const EDGE = 2;

/** A line of amounts as small as a word. The figures beside it say the same. */
export const Spark = ({ of }: { readonly of: readonly number[] }) => {
  const highest = Math.max(...of, 0);
  const step = of.length > 1 ? WIDTH / (of.length - 1) : WIDTH;
  const height = (amount: number): number =>
    HEIGHT - EDGE - (highest === 0 ? 0 : (Math.max(0, amount) / highest) * (HEIGHT - 2 * EDGE));
  const points = of.map((amount, index) => `${(index * step).toFixed(1)} ${height(amount).toFixed(1)}`);
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path d={`M${points.join('L')}`} />
    </svg>
  );
};
