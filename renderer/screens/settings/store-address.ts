// Owns the address of a shared model store as a person writes it: password apart, so that it is never shown. Pure.

/** An address without its password, and the password; null where the text is no address of PostgreSQL. */
export const takeApart = (text: string): { address: string; password: string } | null => {
  const url = parsed(text);
  if (!url) return null;
  const password = decodeURIComponent(url.password);
  if (password === '') return { address: text.trim(), password };
  url.password = '';
  return { address: url.href, password };
};

/** The address that the engine takes; null where the text is no address of PostgreSQL. */
export const putTogether = (address: string, password: string): string | null => {
  const url = parsed(address);
  if (!url) return null;
  if (password === '') return address.trim();
  url.password = encodeURIComponent(password);
  return url.href;
};

const parsed = (text: string): URL | null => {
  if (!/^postgres(ql)?:\/\//i.test(text.trim()) || !URL.canParse(text.trim())) return null;
  const url = new URL(text.trim());
  return url.hostname === '' ? null : url;
};
