from spmlite.charsmaps import set_data_dir as set_data_dir
from spmlite.converting import convert_to_flatbuffer as convert_to_flatbuffer
from spmlite.normalizer import SentencePieceNormalizer as _Normalizer
from spmlite.processor import SentencePieceProcessor as _Processor
from spmlite.processor import StreamingDecoder as StreamingDecoder
from spmlite.randomness import set_random_generator_seed as set_random_generator_seed
from spmlite.settings import set_min_log_level as set_min_log_level
from spmlite.settings import set_nbest_timeout as set_nbest_timeout
from spmlite.splitting import TextPart as TextPart
from spmlite.thread_pool import ThreadPool as ThreadPool
from spmlite.trainer import SentencePieceTrainer as _Trainer

__version__: str

ConvertToFlatbuffer = convert_to_flatbuffer
SetDataDir = set_data_dir
SetMinLogLevel = set_min_log_level
SetNBestTimeout = set_nbest_timeout
SetRandomGeneratorSeed = set_random_generator_seed

# The classes as with_camel_case leaves them.

class SentencePieceProcessor(_Processor):
    Decode = _Processor.decode
    DecodeIds = _Processor.decode_ids
    DecodeIdsAsProto = _Processor.decode_ids_as_proto
    DecodePieces = _Processor.decode_pieces
    DecodePiecesAsProto = _Processor.decode_pieces_as_proto
    Detokenize = _Processor.detokenize
    Encode = _Processor.encode
    EncodeAsIds = _Processor.encode_as_ids
    EncodeAsNumpy = _Processor.encode_as_numpy
    EncodeAsOffsetMapping = _Processor.encode_as_offset_mapping
    EncodeAsPieces = _Processor.encode_as_pieces
    EncodeAsProto = _Processor.encode_as_proto
    GetPieceSize = _Processor.get_piece_size
    GetScore = _Processor.get_score
    IdToPiece = _Processor.id_to_piece
    IsByte = _Processor.is_byte
    IsControl = _Processor.is_control
    IsUnknown = _Processor.is_unknown
    IsUnused = _Processor.is_unused
    Load = _Processor.load
    LoadFromFile = _Processor.load_from_file
    LoadFromSerializedProto = _Processor.load_from_serialized_proto
    NBestEncode = _Processor.nbest_encode
    NBestEncodeAsIds = _Processor.nbest_encode_as_ids
    NBestEncodeAsNumpy = _Processor.nbest_encode_as_numpy
    NBestEncodeAsPieces = _Processor.nbest_encode_as_pieces
    NBestEncodeAsProto = _Processor.nbest_encode_as_proto
    Normalize = _Processor.normalize
    ParallelEncode = _Processor.parallel_encode
    ParallelEncodeAsIds = _Processor.parallel_encode_as_ids
    ParallelEncodeAsNumpy = _Processor.parallel_encode_as_numpy
    ParallelEncodeAsPieces = _Processor.parallel_encode_as_pieces
    ParallelEncodeAsProto = _Processor.parallel_encode_as_proto
    PieceToId = _Processor.piece_to_id
    SampleEncodeAsIds = _Processor.sample_encode_as_ids
    SampleEncodeAsNumpy = _Processor.sample_encode_as_numpy
    SampleEncodeAsPieces = _Processor.sample_encode_as_pieces
    SampleEncodeAsProto = _Processor.sample_encode_as_proto
    Tokenize = _Processor.tokenize

class SentencePieceNormalizer(_Normalizer):
    Decompile = _Normalizer.decompile
    Normalize = _Normalizer.normalize

class SentencePieceTrainer(_Trainer):
    Train = _Trainer.train
