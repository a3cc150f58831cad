import { Link } from 'wouter';
import { addressOfList } from '../recent.ts';

/** The way from a record back to its list, with the filters, order and page that the list had. */
export const Trail = ({ to, title }: { readonly to: string; readonly title: string }) => (
  <p className="trail">
    <Link href={addressOfList(to)}>{title}</Link>
  </p>
);
