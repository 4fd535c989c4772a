import type { TSESTree } from '@typescript-eslint/utils';
import type { Meaning } from './meaning.ts';
import { constantText, type ModuleIndex } from './module-index.ts';
import { isClass } from './nodes.ts';

/** How the meanings of expressions are read. */
interface Reading {
  meaningOf: (node: TSESTree.Node) => Meaning | undefined;
  memberOf: (meaning: Meaning | undefined, key: string) => Meaning | undefined;
  firstImport: (nodes: readonly TSESTree.Node[]) => Meaning | undefined;
  ofModule: (specifier: string | undefined) => Meaning | undefined;
  /** What a type that an API exports stands for. */
  madeBy: (meaning: Meaning | undefined) => Meaning | undefined;
}

/** What types say of values. */
export interface TypeMeanings {
  /** Of a name with an annotation. */
  ofType: (name: TSESTree.Node) => Meaning | undefined;
  ofTypeNode: (type: TSESTree.TypeNode) => Meaning | undefined;
  /** Of `a.b` in a type or in `import x = a.b`. */
  ofEntity: (entity: TSESTree.Node) => Meaning | undefined;
  memberOfType: (members: readonly TSESTree.TypeElement[], key: string) => Meaning | undefined;
}

/** The types of one module: annotations, its own aliases and interfaces, `typeof`. */
export function typeMeaningsOf(
  index: ModuleIndex,
  { meaningOf, memberOf, firstImport, ofModule, madeBy }: Reading,
): TypeMeanings {
  /** `spawn: typeof nodeSpawn`, in an annotation, a type or an interface of this module. */
  function ofType(name: TSESTree.Node): Meaning | undefined {
    const annotated = name.type === 'AssignmentPattern' ? name.left : name;
    const annotation = 'typeAnnotation' in annotated ? annotated.typeAnnotation : undefined;
    return annotation?.type === 'TSTypeAnnotation' ? meaningOf(annotation.typeAnnotation) : undefined;
  }

  function ofTypeNode(type: TSESTree.TypeNode): Meaning | undefined {
    switch (type.type) {
      case 'TSTypeQuery':
        return ofEntity(type.exprName);
      case 'TSUnionType':
        return firstImport(type.types);
      case 'TSTypeLiteral':
        return { is: 'type', members: type.members };
      case 'TSTypeReference':
        return ofTypeReference(type);
      default:
        return undefined;
    }
  }

  function ofTypeReference(type: TSESTree.TSTypeReference): Meaning | undefined {
    if (type.typeName.type !== 'Identifier') return madeBy(ofEntity(type.typeName));
    const [argument] = type.typeArguments?.params ?? [];
    if (argument && /^(Partial|Required|Readonly|NonNullable)$/.test(type.typeName.name))
      return meaningOf(argument);
    const declaration = index.variableOf(type.typeName)?.defs[0]?.node;
    if (isClass(declaration)) return { is: 'instance', node: declaration };
    if (declaration?.type === 'TSInterfaceDeclaration') return { is: 'type', members: declaration.body.body };
    if (declaration?.type === 'TSTypeAliasDeclaration') return meaningOf(declaration.typeAnnotation);
    return declaration ? madeBy(ofEntity(type.typeName)) : undefined;
  }

  function memberOfType(members: readonly TSESTree.TypeElement[], key: string): Meaning | undefined {
    for (const member of members) {
      if (member.type !== 'TSPropertySignature' || member.computed || !member.typeAnnotation) continue;
      if (member.key.type === 'Identifier' && member.key.name === key) {
        return meaningOf(member.typeAnnotation.typeAnnotation);
      }
    }
    return undefined;
  }

  function ofEntity(entity: TSESTree.Node): Meaning | undefined {
    if (entity.type === 'Identifier') return meaningOf(entity);
    if (entity.type === 'TSQualifiedName') return memberOf(ofEntity(entity.left), entity.right.name);
    if (entity.type !== 'TSImportType') return undefined;
    const module = ofModule(constantText(index, entity.source));
    const names: string[] = [];
    for (let at: TSESTree.Node | null = entity.qualifier; at;) {
      names.unshift(at.type === 'TSQualifiedName' ? at.right.name : (at as TSESTree.Identifier).name);
      at = at.type === 'TSQualifiedName' ? at.left : null;
    }
    return names.reduce<Meaning | undefined>(memberOf, module);
  }

  return { ofType, ofTypeNode, ofEntity, memberOfType };
}
