/** The rankings under test, behind one interface. `createArm` is how commands get one. */
import { type Arm, type ArmName, type ProductArmName, productArms } from './arm.ts';
import { FlexSearchArm } from './flexsearch-arm.ts';
import { Fts5Arm } from './fts5-arm.ts';
import { MiniSearchArm } from './minisearch-arm.ts';
import { ProductArm, type ProductArmOptions } from './product-arm.ts';

export { type Arm, type ArmAnswer, type ArmName, armNames } from './arm.ts';

/** Opens an arm; `options` concern the product's arms only. */
export function createArm(name: ArmName, options: ProductArmOptions = {}): Arm {
  switch (name) {
    case 'fts5':
      return new Fts5Arm();
    case 'flexsearch':
      return new FlexSearchArm();
    case 'minisearch':
      return new MiniSearchArm();
    default:
      return new ProductArm(name, options);
  }
}

/** True for toolcrib's own arms, which read a catalog and whose scores are ours to hold. */
export function isProductArm(name: ArmName): name is ProductArmName {
  return (productArms as readonly ArmName[]).includes(name);
}
