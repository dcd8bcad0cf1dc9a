/** Something in a tool's definition that a person should look at before a model reads it. */
export interface Finding {
  /** Permanent name of the rule. */
  rule: string;
  /** `high` keeps the tool from being used before a person has approved it. */
  level: 'low' | 'medium' | 'high';
  /** One sentence for people. */
  reason: string;
  /** JSON pointer into the definition. */
  where: string;
  /** What was found, cleaned and shortened. */
  excerpt: string;
}
