type Bom = { readonly metadata: { readonly component: object } };

/** A list of packages that names the program by its package: npm takes the name of the folder. */
export const namedSbom = (listed: string, name: string): string => {
  const bom: Bom = JSON.parse(listed);
  const { metadata } = bom;
  const named = { ...bom, metadata: { ...metadata, component: { ...metadata.component, name } } };
  return `${JSON.stringify(named, null, 2)}\n`;
};
