import type { TSESTree } from '@typescript-eslint/utils';
import { madeBy } from './call-meanings.ts';
import type { Meaning, MeaningReader } from './meaning.ts';
import { constantText } from './module-index.ts';
import { isClass } from './nodes.ts';

/** What the annotation of a name says of it: `spawn: typeof nodeSpawn`. */
export function annotatedMeaning({ meaningOf }: MeaningReader, name: TSESTree.Node): Meaning | undefined {
  const annotated = name.type === 'AssignmentPattern' ? name.left : name;
  const annotation = 'typeAnnotation' in annotated ? annotated.typeAnnotation : undefined;
  return annotation?.type === 'TSTypeAnnotation' ? meaningOf(annotation.typeAnnotation) : undefined;
}

/** What a value of a type stands for: of `typeof`, of an alias or an interface of this module, of an API's type. */
export function meaningOfType(reader: MeaningReader, type: TSESTree.TypeNode): Meaning | undefined {
  switch (type.type) {
    case 'TSTypeQuery':
      return meaningOfEntity(reader, type.exprName);
    case 'TSUnionType':
      return reader.firstImport(type.types);
    case 'TSTypeLiteral':
      return { is: 'type', members: type.members };
    case 'TSTypeReference':
      return ofReference(reader, type);
    default:
      return undefined;
  }
}

function ofReference(reader: MeaningReader, type: TSESTree.TSTypeReference): Meaning | undefined {
  const { index, table, meaningOf } = reader;
  if (type.typeName.type !== 'Identifier') return madeBy(table, meaningOfEntity(reader, type.typeName));
  const [argument] = type.typeArguments?.params ?? [];
  if (argument && /^(Partial|Required|Readonly|NonNullable)$/.test(type.typeName.name))
    return meaningOf(argument);
  const declaration = index.variableOf(type.typeName)?.defs[0]?.node;
  if (isClass(declaration)) return { is: 'instance', node: declaration };
  if (declaration?.type === 'TSInterfaceDeclaration') return { is: 'type', members: declaration.body.body };
  if (declaration?.type === 'TSTypeAliasDeclaration') return meaningOf(declaration.typeAnnotation);
  return declaration ? madeBy(table, meaningOfEntity(reader, type.typeName)) : undefined;
}

/** What a property of an interface or of a literal type stands for. */
export function memberOfType(
  { meaningOf }: MeaningReader,
  members: readonly TSESTree.TypeElement[],
  key: string,
): Meaning | undefined {
  for (const member of members) {
    if (member.type !== 'TSPropertySignature' || member.computed || !member.typeAnnotation) continue;
    if (member.key.type === 'Identifier' && member.key.name === key) {
      return meaningOf(member.typeAnnotation.typeAnnotation);
    }
  }
  return undefined;
}

/** What `a.b` stands for in a type or in `import x = a.b`. */
export function meaningOfEntity(reader: MeaningReader, entity: TSESTree.Node): Meaning | undefined {
  const { index, meaningOf, memberOf, ofModule } = reader;
  if (entity.type === 'Identifier') return meaningOf(entity);
  if (entity.type === 'TSQualifiedName')
    return memberOf(meaningOfEntity(reader, entity.left), entity.right.name);
  if (entity.type !== 'TSImportType') return undefined;
  const module = ofModule(constantText(index, entity.source));
  const names: string[] = [];
  for (let at: TSESTree.Node | null = entity.qualifier; at;) {
    names.unshift(at.type === 'TSQualifiedName' ? at.right.name : (at as TSESTree.Identifier).name);
    at = at.type === 'TSQualifiedName' ? at.left : null;
  }
  return names.reduce<Meaning | undefined>(memberOf, module);
}
