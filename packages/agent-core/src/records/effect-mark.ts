/** How often effects of a session have begun or ended on a catalog: it rises with each (PLAN-083). */
export interface EffectMark {
  readonly count: number;
}
