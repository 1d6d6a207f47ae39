// Owns how a sender reads where there is little room. Never used where it is evidence: there it stands whole.

const HERE = /^(?:127\.0\.0\.1|::1) +(?=\S)/;

/** A program of this machine by what it calls itself; any other with its address. */
export const shortSender = (sender: string): string => sender.replace(HERE, '');
