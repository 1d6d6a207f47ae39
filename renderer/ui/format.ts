// Owns how numbers, bytes, times and durations read. Never touches a producer's value: data is never formatted.

const COUNT = new Intl.NumberFormat('en-US');

/** 10,482,113. */
export const count = (value: number): string => COUNT.format(value);

/** 10.5 M, three figures; for trees, axes and summaries. */
export const shortCount = (value: number): string => {
  if (value < 10_000) return count(value);
  const units = ['k', 'M', 'G', 'T'];
  let rest = value;
  let unit = -1;
  do {
    rest /= 1_000;
    unit += 1;
  } while (rest >= 999.5 && unit < units.length - 1);
  return `${three(rest)} ${units[unit]}`;
};

/** 9.80 kB, 71.3 MB; decimal, three figures. */
export const bytes = (value: number): string => {
  if (value < 1_000) return `${value} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let rest = value;
  let unit = -1;
  do {
    rest /= 1_000;
    unit += 1;
  } while (rest >= 999.5 && unit < units.length - 1);
  return `${three(rest)} ${units[unit]}`;
};

const three = (value: number): string =>
  value >= 99.95 ? value.toFixed(0) : value >= 9.995 ? value.toFixed(1) : value.toFixed(2);

/** 342, 3.2; one decimal below 10. */
export const rate = (perSecond: number): string =>
  perSecond === 0 ? '0' : perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond));

/** 6 ms, 4.8 s, 10 s, 2 min 10 s, 2 min. What is whole seconds to the ms was set or counted so, and has no decimal. */
export const duration = (ms: number): string => {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${ms % 1_000 === 0 ? ms / 1_000 : (ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const rest = seconds % 60 === 0 ? '' : ` ${seconds % 60} s`;
  return `${Math.floor(seconds / 60)} min${rest}`;
};

/** now, 3 s, 42 min, 5 h, then a date. */
export const age = (at: string | null, now: number): string => {
  if (at === null) return '–';
  const seconds = Math.max(0, Math.floor((now - Date.parse(at)) / 1_000));
  if (seconds < 1) return 'now';
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return day(at, now);
};

const day = (at: string, now: number): string => {
  const date = new Date(at);
  const sameYear = date.getUTCFullYear() === new Date(now).getUTCFullYear();
  return date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    ...(sameYear ? {} : { year: 'numeric' }),
  });
};

/** 14:02:11, UTC. */
export const clock = (at: string): string => at.slice(11, 19);

/** 21 May 2026 13:02:44.108, UTC. */
export const fullTime = (at: string): string => {
  const date = new Date(at);
  const text = date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `${text} ${at.slice(11, 23)}`;
};
