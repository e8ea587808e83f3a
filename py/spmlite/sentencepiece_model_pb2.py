"""The messages of the oracle's sentencepiece_model.proto, as classes of protobuf.

For programs that look into `.model` files or change them.

>>> model = ModelProto.FromString(model_path.read_bytes())
>>> len(model.pieces), model.trainer_spec.model_type == TrainerSpec.BPE
(277, True)
"""

from spmlite.protobuf_messages import Fields, define

_TRAINER_SPEC: Fields = {
    "input": (1, "*string"),
    "model_prefix": (2, "string"),
    "model_type": (3, "TrainerSpec.ModelType", "UNIGRAM"),
    "vocab_size": (4, "int32", "8000"),
    "accept_language": (5, "*string"),
    "self_test_sample_size": (6, "int32", "0"),
    "input_format": (7, "string"),
    "character_coverage": (10, "float", "0.9995"),
    "input_sentence_size": (11, "uint64", "0"),
    "mining_sentence_size": (12, "int32"),
    "training_sentence_size": (13, "int32"),
    "seed_sentencepiece_size": (14, "int32", "1000000"),
    "shrinking_factor": (15, "float", "0.75"),
    "num_threads": (16, "int32", "16"),
    "num_sub_iterations": (17, "int32", "2"),
    "max_sentence_length": (18, "int32", "4192"),
    "shuffle_input_sentence": (19, "bool", "true"),
    "max_sentencepiece_length": (20, "int32", "16"),
    "split_by_unicode_script": (21, "bool", "true"),
    "split_by_whitespace": (22, "bool", "true"),
    "split_by_number": (23, "bool", "true"),
    "treat_whitespace_as_suffix": (24, "bool", "false"),
    "split_digits": (25, "bool", "false"),
    "allow_whitespace_only_pieces": (26, "bool", "false"),
    "control_symbols": (30, "*string"),
    "user_defined_symbols": (31, "*string"),
    "vocabulary_output_piece_score": (32, "bool", "true"),
    "hard_vocab_limit": (33, "bool", "true"),
    "use_all_vocab": (34, "bool", "false"),
    "byte_fallback": (35, "bool", "false"),
    "required_chars": (36, "string"),
    "unk_id": (40, "int32", "0"),
    "bos_id": (41, "int32", "1"),
    "eos_id": (42, "int32", "2"),
    "pad_id": (43, "int32", "-1"),
    "unk_surface": (44, "string", " \u2047 "),
    "unk_piece": (45, "string", "<unk>"),
    "bos_piece": (46, "string", "<s>"),
    "eos_piece": (47, "string", "</s>"),
    "pad_piece": (48, "string", "<pad>"),
    "train_extremely_large_corpus": (49, "bool", "false"),
    "enable_differential_privacy": (50, "bool", "false"),
    "differential_privacy_noise_level": (51, "float", "0"),
    "differential_privacy_clipping_threshold": (52, "uint64", "0"),
    "pretokenization_delimiter": (53, "string"),
    "seed_sentencepieces_file": (54, "string"),
    "auto_character_coverage": (55, "bool", "false"),
}

_NORMALIZER_SPEC: Fields = {
    "name": (1, "string"),
    "precompiled_charsmap": (2, "bytes"),
    "add_dummy_prefix": (3, "bool", "true"),
    "remove_extra_whitespaces": (4, "bool", "true"),
    "escape_whitespaces": (5, "bool", "true"),
    "normalization_rule_tsv": (6, "string"),
}

_MODEL_PROTO: Fields = {
    "pieces": (1, "*ModelProto.SentencePiece"),
    "trainer_spec": (2, "TrainerSpec"),
    "normalizer_spec": (3, "NormalizerSpec"),
    "denormalizer_spec": (5, "NormalizerSpec"),
}

_SENTENCE_PIECE: Fields = {
    "piece": (1, "string"),
    "score": (2, "float"),
    "type": (3, "ModelProto.SentencePiece.Type", "NORMAL"),
}

_CLASSES = define(
    __name__,
    {
        "TrainerSpec": _TRAINER_SPEC,
        "NormalizerSpec": _NORMALIZER_SPEC,
        "ModelProto": _MODEL_PROTO,
        "ModelProto.SentencePiece": _SENTENCE_PIECE,
    },
    {
        "TrainerSpec.ModelType": {"UNIGRAM": 1, "BPE": 2, "WORD": 3, "CHAR": 4},
        "ModelProto.SentencePiece.Type": {
            "NORMAL": 1,
            "UNKNOWN": 2,
            "CONTROL": 3,
            "USER_DEFINED": 4,
            "BYTE": 6,
            "UNUSED": 5,
        },
    },
)

TrainerSpec = _CLASSES["TrainerSpec"]
NormalizerSpec = _CLASSES["NormalizerSpec"]
ModelProto = _CLASSES["ModelProto"]
