// Owns how likely a dependency holds by accident. Pure.

/** A dependency that is likelier than one in a million to be an accident is not proposed. */
export const ACCIDENT = -6;

/**
 * The chance, as a power of ten, that every group of rows agrees on a column by accident. Each row after the first of
 * its group has to agree with it, which two rows do with the likelihood `agreement` (the sum of the squared shares of
 * the column's values). So 8 rows in 3 groups, over 3 equal values, agree with a chance of 10^-2.4: no evidence.
 */
export const chanceOf = (rows: number, groups: number, agreement: number): number =>
  agreement >= 1 ? 0 : (rows - groups) * Math.log10(Math.max(agreement, 1e-12));
