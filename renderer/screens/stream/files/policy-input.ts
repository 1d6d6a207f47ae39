// Owns reading what a person types for a policy: numbers, and what is wrong with them. Never saves.

/** What is typed. */
export interface PolicyInput {
  readonly policy: 'off' | 'suggested' | 'automatic';
  readonly files: string;
  readonly retentionDays: string;
}

/** What is wrong with each field, as a sentence; null where nothing is. */
export interface PolicyFaults {
  readonly files: string | null;
  readonly retentionDays: string | null;
}

const numberOf = (text: string): number | null => {
  const digits = text.trim().replaceAll(',', '');
  return /^\d{1,9}$/.test(digits) ? Number(digits) : null;
};

const within = (text: string, least: number, most: number, says: string): string | null => {
  const value = numberOf(text);
  return value !== null && value >= least && value <= most ? null : says;
};

/** The faults of an input; the file count matters only where it is used. */
export const policyFaults = ({ policy, files, retentionDays }: PolicyInput): PolicyFaults => ({
  files:
    policy === 'off'
      ? null
      : within(files, 2, 1_000_000, 'A whole number from 2 to 1,000,000 is needed.'),
  retentionDays: within(
    retentionDays,
    0,
    3_650,
    'A whole number of days from 0 to 3,650 is needed.',
  ),
});

/** The days that are typed; null while they cannot be read. */
export const daysOf = (input: PolicyInput): number | null =>
  policyFaults(input).retentionDays === null ? numberOf(input.retentionDays) : null;

/** What is saved; null while anything is wrong. */
export const policyOf = (
  input: PolicyInput,
): { policy: PolicyInput['policy']; files?: number; retentionDays: number } | null => {
  const { files, retentionDays } = policyFaults(input);
  if (files !== null || retentionDays !== null) return null;
  return {
    policy: input.policy,
    ...(input.policy === 'off' ? {} : { files: numberOf(input.files) as number }),
    retentionDays: numberOf(input.retentionDays) as number,
  };
};
