// Owns reading the address of a shared model store, and showing it. Never shows a password.

/** The address without password and options: `postgresql://ann@db.example:5432/team`. */
export const shownAddress = (url: string): string => {
  const { username, host, pathname } = new URL(url);
  return `postgresql://${username === '' ? '' : `${username}@`}${host}${pathname}`;
};

/** Whether an address holds a secret: its file is then for its owner alone. */
export const hasSecret = (where: string): boolean => secretsOf(where).length > 0;

/** A text in which nothing of the address's secrets is left, whoever wrote it. */
export const withoutSecrets = (text: string, url: string): string =>
  secretsOf(url).reduce((clean, secret) => clean.replaceAll(secret, '•••'), text);

const secretsOf = (where: string): string[] => {
  if (!URL.canParse(where)) return [];
  const { password, searchParams } = new URL(where);
  const options = [...searchParams]
    .filter(([name]) => /pass|secret|key|token/i.test(name))
    .map(([, value]) => value);
  const found = [password, decoded(password), ...options];
  return [...new Set(found)].filter((secret) => secret !== '');
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
