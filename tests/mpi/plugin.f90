! A library that a program without MPI loads: the ranks give each other numbers. Its constants are
! addresses, which MPI recognizes.
subroutine go() bind(c)
  use mpi
  implicit none
  integer :: error, rank, ranks, theirs, indirect
  integer, volatile :: number ! the compiler does not see that MPI_Sendrecv reads it
  integer(MPI_ADDRESS_KIND) :: address
  integer, allocatable :: numbers(:), counts(:), places(:)
  integer :: i
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  number = 1
  call MPI_Allreduce(MPI_IN_PLACE, number, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (number /= ranks) stop 3
  call MPI_Get_address(number, address, error)
  call MPI_Type_create_hindexed(1, [1], [address], MPI_INTEGER, indirect, error)
  call MPI_Type_commit(indirect, error)
  number = rank
  call MPI_Sendrecv(MPI_BOTTOM, 1, indirect, mod(rank + 1, ranks), 0, theirs, 1, MPI_INTEGER, &
                    mod(rank + ranks - 1, ranks), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  if (theirs /= mod(rank + ranks - 1, ranks)) stop 4
  numbers = [(rank, i = 1, ranks)]
  counts = [(1, i = 1, ranks)]
  places = [(i, i = 0, ranks - 1)]
  ! the counts that are sent have no meaning
  call MPI_Alltoallv(MPI_IN_PLACE, [-1], [0], MPI_DATATYPE_NULL, numbers, counts, places, &
                     MPI_INTEGER, MPI_COMM_WORLD, error)
  if (any(numbers /= places)) stop 5
  call MPI_Finalize(error)
end subroutine
