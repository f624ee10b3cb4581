import type { Db } from 'mongodb';

/** The rules of platforms by which the posts of all businesses were last checked, or are being checked. */
interface RiskRulesDocument {
  _id: 'limits';
  digest: string;
  /** How often they have changed. */
  revision: number;
}

const rules = (db: Db) => db.collection<RiskRulesDocument>('risk_rules');

export const findRiskRules = (db: Db): Promise<RiskRulesDocument | null> => rules(db).findOne({ _id: 'limits' });

export async function putRiskRules(db: Db, digest: string, revision: number): Promise<void> {
  await rules(db).updateOne({ _id: 'limits' }, { $set: { digest, revision } }, { upsert: true });
}
